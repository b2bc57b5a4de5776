{{- define "emissary-hub.name" -}}
{{- if contains "emissary-hub" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-emissary-hub" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "emissary-hub.selector" -}}
app.kubernetes.io/name: emissary-hub
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "emissary-hub.labels" -}}
{{ include "emissary-hub.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Numbers of a values file are floating, and large ones would be written with an exponent; lists get commas. */ -}}
{{- define "emissary-hub.value" -}}
{{- if kindIs "slice" . }}{{ join ", " . }}
{{- else if and (kindIs "float64" .) (eq . (floor .)) }}{{ int64 . }}
{{- else }}{{ toString . }}{{ end }}
{{- end }}

{{- define "emissary-hub.parameters" -}}
{{- range $name, $value := . }}
<{{ $name }} value="{{ include "emissary-hub.value" $value | replace "&" "&amp;" | replace "<" "&lt;" | replace "\"" "&quot;" }}"/>
{{- end }}
{{- end }}

{{- /* Names under which a pod's pages are asked for. */ -}}
{{- define "emissary-hub.hosts" -}}
{{- $name := include "emissary-hub.name" . }}
{{- $hosts := list }}
{{- $service := printf "%s-pods" $name }}
{{- $ends := list "" (printf ".%s" .Release.Namespace) (printf ".%s.svc" .Release.Namespace) (printf ".%s.svc.%s" .Release.Namespace .Values.clusterDomain) }}
{{- range $end := $ends }}
{{- $hosts = append $hosts (printf "%s%s" $service $end) }}
{{- range $i := until (int $.Values.replicas) }}
{{- $hosts = append $hosts (printf "%s-%d.%s%s" $name $i $service $end) }}
{{- end }}
{{- end }}
{{- join ", " $hosts }}
{{- end }}

{{- /* HubConfig.xml: what the chart sets, over which goes what the user says, and then the user's own entries. */ -}}
{{- define "emissary-hub.config" -}}
{{- $hub := dict "Listeners" "consumers" "HttpPort" "8080" "HttpAddress" "0.0.0.0" "HttpHosts" (include "emissary-hub.hosts" .) "AuditFolder" "/var/log/emissary" "UsageFolder" "/var/lib/emissary" "DrainTimeout" .Values.drainSeconds }}
{{- $consumers := dict "Name" "consumers" "Port" "14002" }}
{{- $publishers := dict "Name" "publishers" "Port" "14003" }}
{{- if .Values.publishers.enabled }}{{ $hub = set $hub "NiListeners" "publishers" }}{{ end }}
{{- range $parameter := list "DrainTimeout" "HttpPort" "HttpAddress" "Listeners" "NiListeners" }}
{{- if hasKey $.Values.hub $parameter }}{{ fail (printf "hub.%s: the chart sets it, so that pod and hub agree; drainSeconds, service and publishers are what can be chosen" $parameter) }}{{ end }}
{{- end }}
{{- range $parameter := list "Name" "Port" }}
{{- if hasKey $.Values.consumers $parameter }}{{ fail (printf "consumers.%s: the chart sets it; service.consumers is the port that programs see" $parameter) }}{{ end }}
{{- end }}
{{- if and .Values.podMonitor.enabled .Values.tokensSecret (not .Values.podMonitor.tokenSecret.name) }}
{{- fail "podMonitor.tokenSecret.name: the pages ask for a token; name a secret with one that has the role read" }}
{{- end }}
{{- if .Values.tokensSecret }}{{ $hub = set $hub "HttpTokens" "/etc/emissary/tokens/tokens" }}{{ end }}
{{- if .Values.tlsSecret }}
{{- $hub = merge $hub (dict "HttpCertificate" "/etc/emissary/tls/tls.crt" "HttpKey" "/etc/emissary/tls/tls.key") }}
{{- $tls := dict "ServerType" "RSSL_ENCRYPTED" "ServerCert" "/etc/emissary/tls/tls.crt" "ServerPrivateKey" "/etc/emissary/tls/tls.key" }}
{{- $consumers = merge $consumers $tls }}
{{- $publishers = merge $publishers $tls }}
{{- end }}
{{- if not (or .Values.tokensSecret .Values.pagesWithoutTokens) }}
{{- fail "tokensSecret: name a secret with the key \"tokens\" (docs/emissary-hub.md, Who may use the pages), or set pagesWithoutTokens where a NetworkPolicy keeps others away from port 8080" }}
{{- end -}}
<?xml version="1.0" encoding="UTF-8"?>
<HubConfig>
  <Hub>
    {{- include "emissary-hub.parameters" (mergeOverwrite $hub .Values.hub) | indent 4 }}
  </Hub>
  <ServerGroup><ServerList>
    <Server>
      {{- include "emissary-hub.parameters" (mergeOverwrite $consumers .Values.consumers) | indent 6 }}
    </Server>
{{- if .Values.publishers.enabled }}
    <Server>
      {{- include "emissary-hub.parameters" (mergeOverwrite $publishers .Values.publishers.parameters) | indent 6 }}
    </Server>
{{- end }}
  </ServerList></ServerGroup>
{{- if .Values.mesh.servers }}
  <Mesh>
    {{- include "emissary-hub.parameters" (mergeOverwrite (dict "Servers" (join ", " .Values.mesh.servers) "EpochFile" "/var/lib/emissary/mesh.epoch") .Values.mesh.parameters) | indent 4 }}
  </Mesh>
{{- end }}
{{ tpl .Values.config . | indent 2 }}
</HubConfig>
{{- end }}
