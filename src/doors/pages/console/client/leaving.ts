import { useEffect } from 'preact/hooks';
import { words } from '../shared/words.ts';

/** What the reader is asked before the page at an address is left; null if nothing is lost. */
let guarded: { readonly asks: string; readonly href: string } | null = null;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The fields that the reader has come to: what they held then, and the address of their page once typed in. */
const fields = new Map<Field, { held: string; typedAt: string | null }>();

/** The field of a form that is filled in to be sent; a search keeps nothing. */
function fieldOf({ target }: Event): Field | null {
  if (!(target instanceof Element) || !target.matches('input, textarea, select')) return null;
  const field = target as Field;
  return field.form && !field.closest('search') ? field : null;
}

const contentOf = (field: Field): string =>
  field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type) ? String(field.checked) : field.value;

/** A field with something that was typed, is not sent and would be lost with `within`. */
function halfTyped(within: Node): Field | undefined {
  for (const field of fields.keys()) if (!field.isConnected) fields.delete(field);
  return [...fields].find(
    ([field, { held, typedAt }]) => typedAt !== null && within.contains(field) && contentOf(field) !== held,
  )?.[0];
}

/** Asks before a form is thrown away in which something was typed. False: the reader stays. */
export const mayDiscard = (within: Node = document): boolean => !halfTyped(within) || confirm(words.discard);

/** Asks before the page is left, if something would be lost. False: the reader stays. */
export const mayLeave = (): boolean => (guarded === null ? mayDiscard() : confirm(guarded.asks));

/** Notes what is typed in every form, until it is sent. */
function watchForms(): void {
  const remember = (event: Event) => {
    const field = fieldOf(event);
    if (field && !fields.has(field)) fields.set(field, { held: contentOf(field), typedAt: null });
  };
  const note = (event: Event) => {
    const field = fieldOf(event);
    if (field) fields.set(field, { held: fields.get(field)?.held ?? '', typedAt: location.href });
  };
  addEventListener('focusin', remember, true);
  addEventListener('input', note, true);
  addEventListener('change', note, true);
  addEventListener(
    'submit',
    ({ target }) => {
      for (const field of fields.keys())
        if (field.form === target) fields.set(field, { held: contentOf(field), typedAt: null });
    },
    true,
  );
  addEventListener('beforeunload', (event) => {
    if (halfTyped(document)) event.preventDefault();
  });
}

/** The link of the console that a click follows in this tab. */
function followed(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return false;
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  if (!link || link.target === '_blank' || link.download) return false;
  return link.origin === location.origin && !link.getAttribute('href')?.startsWith('#');
}

/**
 * Asks before a guarded page, or a form in which something was typed, is left by a link, or by the buttons of the
 * browser. It must be called before the router begins to listen: the listeners of a window run in the order in which
 * they were added.
 */
export function watchLeaving(): void {
  watchForms();
  addEventListener(
    'click',
    (event) => {
      if (!followed(event) || mayLeave()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  addEventListener('popstate', (event) => {
    const field = halfTyped(document);
    const href = guarded?.href ?? (field && fields.get(field)?.typedAt) ?? undefined;
    if (href === undefined || location.href === href || mayLeave()) return;
    event.stopImmediatePropagation();
    history.pushState(null, '', href);
  });
}

/** Asks before this page is left, as long as `asks` is given. If the tab is closed, the browser asks in its words. */
export function useLeaveQuestion(asks: string | null): void {
  useEffect(() => {
    if (asks === null) return;
    guarded = { asks, href: location.href };
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onClose);
    return () => {
      guarded = null;
      removeEventListener('beforeunload', onClose);
    };
  }, [asks]);
}
