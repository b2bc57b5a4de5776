module emissary/helm_strict

go 1.24

require (
	k8s.io/api v0.34.0
	sigs.k8s.io/yaml v1.6.0
)
