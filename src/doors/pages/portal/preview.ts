/** Programs that read a link for a preview or an index, by the names that they give themselves. */
const READERS = /bot\b|crawler|spider|preview|externalhit|^whatsapp\//i;

interface Visit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Whether the page is read before it is shown to a person: a link preview, a crawler, a browser's prefetch, or a HEAD
 * request.
 */
export function isPreview({ method, headers }: Visit): boolean {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`;
  return method === 'HEAD' || /prefetch|preview/i.test(purpose) || READERS.test(String(headers['user-agent'] ?? ''));
}
