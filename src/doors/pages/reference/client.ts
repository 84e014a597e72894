import { takeIssuedKey } from '../client/issued-key.ts';

/** The global that the viewer's script defines. */
interface Scalar {
  createApiReference(target: string, configuration: Readonly<Record<string, unknown>>): unknown;
}

declare const Scalar: Scalar;

const contentOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[property="${name}"]`)?.content ?? '';

// The viewer creates style sheets at load and later. This must mark them for the policy before the first one is
// created.
const nonce = contentOf('csp-nonce');
const create = document.createElement;
document.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
  const element = create.call(this, name, options);
  if (element instanceof HTMLStyleElement) element.nonce = nonce;
  return element;
} as typeof document.createElement;

const viewer = document.createElement('script');
viewer.src = contentOf('viewer');
viewer.addEventListener('load', show);
document.head.append(viewer);

function show(): void {
  const key = takeIssuedKey();
  Scalar.createApiReference('#reference', {
    url: '/api/openapi.json',
    theme: 'none',
    layout: 'modern',
    // Requests go only to this server.
    telemetry: false,
    withDefaultFonts: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    persistAuth: false,
    // The header key is the usual credential of programs. One that is typed stays in this tab's memory.
    authentication: {
      preferredSecurityScheme: 'SubscriptionKey',
      ...(key !== null && { securitySchemes: { SubscriptionKey: { value: key } } }),
    },
    documentDownloadType: 'json',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    defaultOpenAllTags: true,
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    // Light or dark mode follows the system, like every page here.
    hideDarkModeToggle: true,
  });
}
