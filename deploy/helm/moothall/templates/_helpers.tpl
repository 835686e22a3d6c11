{{- define "moothall.name" -}}
{{- if contains "moothall" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-moothall" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "moothall.selector" -}}
app.kubernetes.io/name: moothall
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "moothall.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{ include "moothall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "moothall.image" -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "moothall.secret" -}}
{{ .Values.existingSecret | default (include "moothall.name" .) }}
{{- end }}

{{- define "moothall.several" -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled }}true{{ end -}}
{{- end }}
