{{- define "service.selectorLabels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end -}}

{{- define "service.labels" -}}
{{ include "service.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: meridian
{{- end -}}

{{- define "service.image" -}}
{{ .root.Values.image.repository }}/{{ .name }}:{{ default .root.Chart.AppVersion .root.Values.image.tag }}
{{- end -}}
