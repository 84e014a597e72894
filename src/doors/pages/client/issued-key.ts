/** A window of the console that opens the reference with a key. */
interface Issuing {
  takeIssuedKey?: () => string;
}

/** Opens the API reference with a key that was just issued. The key stays in the memory of the two tabs. */
export function openReference(key: string): void {
  const issuing = window as Window & Issuing;
  issuing.takeIssuedKey = () => {
    delete issuing.takeIssuedKey;
    return key;
  };
  window.open('/docs', '_blank');
}

/** The key that the console opened this window with, once; null if there is none. */
export function takeIssuedKey(): string | null {
  try {
    return (window.opener as Issuing | null)?.takeIssuedKey?.() ?? null;
  } catch {
    // A page of another site opened this window.
    return null;
  }
}
