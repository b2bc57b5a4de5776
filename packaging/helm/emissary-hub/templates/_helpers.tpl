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

{{- define "emissary-hub.parameters" -}}
{{- range $name, $value := . }}
<{{ $name }} value="{{ $value | toString | replace "&" "&amp;" | replace "<" "&lt;" | replace "\"" "&quot;" }}"/>
{{- end }}
{{- end }}

{{- /* HubConfig.xml: what the chart sets, over which goes what the user says, and then the user's own entries. */ -}}
{{- define "emissary-hub.config" -}}
{{- $hub := dict "Listeners" "consumers" "HttpPort" "8080" "HttpAddress" "0.0.0.0" "AuditFolder" "/var/log/emissary" "UsageFolder" "/var/lib/emissary" "DrainTimeout" .Values.drainSeconds }}
{{- $consumers := dict "Name" "consumers" "Port" "14002" }}
{{- if .Values.service.publishers }}{{ $hub = set $hub "NiListeners" "publishers" }}{{ end }}
{{- if .Values.tokensSecret }}{{ $hub = set $hub "HttpTokens" "/etc/emissary/tokens/tokens" }}{{ end }}
{{- if .Values.tlsSecret }}
{{- $hub = merge $hub (dict "HttpCertificate" "/etc/emissary/tls/tls.crt" "HttpKey" "/etc/emissary/tls/tls.key") }}
{{- $consumers = merge $consumers (dict "ServerType" "RSSL_ENCRYPTED" "ServerCert" "/etc/emissary/tls/tls.crt" "ServerPrivateKey" "/etc/emissary/tls/tls.key") }}
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
{{- if .Values.service.publishers }}
    <Server><Name value="publishers"/><Port value="14003"/></Server>
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
