import { useEffect } from 'preact/hooks';

/** What the reader is asked before the page at an address is left; null if nothing is lost. */
let guarded: { readonly asks: string; readonly href: string } | null = null;

/** Asks before the page is left, if something would be lost. False: the reader stays. */
export const mayLeave = (): boolean => guarded === null || confirm(guarded.asks);

/** The link of the console that a click follows in this tab. */
function followed(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return false;
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  if (!link || link.target === '_blank' || link.download) return false;
  return link.origin === location.origin && !link.getAttribute('href')?.startsWith('#');
}

/**
 * Asks before a guarded page is left by a link, or by the buttons of the browser. It must be called before the router
 * begins to listen: the listeners of a window run in the order in which they were added.
 */
export function watchLeaving(): void {
  addEventListener(
    'click',
    (event) => {
      if (!guarded || !followed(event) || mayLeave()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  addEventListener('popstate', (event) => {
    if (!guarded || location.href === guarded.href || mayLeave()) return;
    event.stopImmediatePropagation();
    history.pushState(null, '', guarded.href);
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
