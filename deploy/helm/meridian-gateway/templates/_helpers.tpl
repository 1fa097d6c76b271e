{{- define "gateway.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "gateway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "gateway.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "gateway.selectorLabels" -}}
app.kubernetes.io/name: {{ include "gateway.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "gateway.labels" -}}
{{ include "gateway.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.extraLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "gateway.serviceAccountName" -}}
{{- ternary (default (include "gateway.fullname" .) .Values.serviceAccount.name) (default "default" .Values.serviceAccount.name) .Values.serviceAccount.create -}}
{{- end -}}

{{- define "gateway.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{- /* router.yaml, with the mounted manifests where it names none. */ -}}
{{- define "gateway.configuration" -}}
{{- $configuration := deepCopy .Values.router.configuration -}}
{{- if .Values.manifestFiles -}}
{{- $paths := list -}}
{{- range $name, $_ := .Values.manifestFiles -}}
{{- $paths = append $paths (printf "/etc/meridian/manifests/%s" $name) -}}
{{- end -}}
{{- $configuration = merge $configuration (dict "persisted_queries" (dict "enabled" true "local_manifests" $paths "hot_reload" true)) -}}
{{- end -}}
{{ toYaml $configuration }}
{{- end -}}
