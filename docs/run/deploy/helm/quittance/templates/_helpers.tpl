{{/* Which pods belong to this release. Templates add the component. */}}
{{- define "quittance.selector" -}}
app.kubernetes.io/name: quittance
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* The labels of every object. */}}
{{- define "quittance.labels" -}}
{{ include "quittance.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

{{/* The variables of servers and workers that are no secrets. */}}
{{- define "quittance.variables" -}}
NODE_ENV: production
HOST: 0.0.0.0
PORT: "4000"
DATA_DIR: /var/lib/quittance
METRICS_HOST: 0.0.0.0
METRICS_PORT: "9464"
MIGRATE: "off"
BASE_URL: {{ printf "https://%s" .Values.host | quote }}
{{- range $name, $value := .Values.config }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* What the pods of servers, workers and migrations have in common. 1000 is the user `node` of the image. */}}
{{- define "quittance.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What their containers have in common. Only the folder of DATA_DIR and /tmp can be written. */}}
{{- define "quittance.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy | quote }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /var/lib/quittance }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{/* Every path of a host leads to the servers. */}}
{{- define "quittance.paths" -}}
paths:
  - path: /
    pathType: Prefix
    backend: { service: { name: {{ .Release.Name }}, port: { name: http } } }
{{- end }}
