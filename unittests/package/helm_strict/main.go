// Reads documents of YAML from standard input as the objects of Kubernetes that they say they are, and writes each as a line of JSON. A
// field that the object does not have ends it with 1, and so does a kind that is not in the list. Objects of operators are passed through.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail("standard input: %v", err)
	}
	for _, document := range strings.Split("\n"+string(text), "\n---") {
		var head struct{ APIVersion, Kind string }
		if err := yaml.Unmarshal([]byte(document), &head); err != nil {
			fail("%v in:\n%s", err, document)
		}
		if head.Kind == "" {
			continue
		}
		object := map[string]any{
			"v1/ConfigMap": &core.ConfigMap{}, "v1/Service": &core.Service{}, "apps/v1/StatefulSet": &apps.StatefulSet{},
			"policy/v1/PodDisruptionBudget": &policy.PodDisruptionBudget{},
			"monitoring.coreos.com/v1/PodMonitor": &map[string]any{}, "monitoring.coreos.com/v1/PrometheusRule": &map[string]any{},
		}[head.APIVersion+"/"+head.Kind]
		if object == nil {
			fail("no object %s/%s is known here", head.APIVersion, head.Kind)
		}
		if err := yaml.UnmarshalStrict([]byte(document), object); err != nil {
			fail("%s: %v in:\n%s", head.Kind, err, document)
		}
		line, err := json.Marshal(object)
		if err != nil {
			fail("%s: %v", head.Kind, err)
		}
		fmt.Println(string(line))
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
