import { useLocation } from 'preact-iso';
import { changeQuery } from './query.ts';

/** The dialogs of a page. The address names the open one, among several with its record: `?do=remove&on=…`. */
interface Dialogs {
  /** Whether a dialog is open; of several of its kind, the one for this record. */
  isOpen(name: string, on?: string): boolean;
  /** The record of an open dialog; null if it is closed or has no record. */
  recordOf(name: string): string | null;
  /** The address of the page with a dialog open. */
  hrefOf(name: string, on?: string): string;
  open(name: string, on?: string): void;
  /** Closes the open dialog, without a new entry in the browser's history. */
  close(): void;
}

/** The dialogs of the current page. */
export function useDialogs(): Dialogs {
  const { query, url, route } = useLocation();
  const hrefOf = (name: string, on = '') => changeQuery(url, { do: name, on });
  return {
    isOpen: (name, on) => query.do === name && (on === undefined || query.on === on),
    recordOf: (name) => (query.do === name ? (query.on ?? null) : null),
    hrefOf,
    open: (name, on) => route(hrefOf(name, on)),
    // The page may have moved on since it was drawn: a request was answered meanwhile.
    close: () => route(changeQuery(location.href, { do: '', on: '' }), true),
  };
}
