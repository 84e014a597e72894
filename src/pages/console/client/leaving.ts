import { useEffect } from 'preact/hooks';

/** What the reader is asked before the page is left; null if nothing is lost. */
let question: string | null = null;

/** Asks before the page is left, if something would be lost. False: the reader stays. */
export const mayLeave = (): boolean => question === null || confirm(question);

/** The link of the console that a click follows in this tab. */
function followed(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return false;
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  if (!link || link.target === '_blank' || link.download) return false;
  return link.origin === location.origin && !link.getAttribute('href')?.startsWith('#');
}

/**
 * Asks before the page is left, as long as `asks` is given: by a link, by the buttons of the browser, by a key of the
 * console, or by closing the tab, where the browser asks in its own words.
 */
export function useLeaveQuestion(asks: string | null): void {
  useEffect(() => {
    if (asks === null) return;
    const here = location.href;
    question = asks;
    const onClick = (event: MouseEvent) => {
      if (!followed(event) || mayLeave()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const onBack = (event: PopStateEvent) => {
      if (location.href === here || mayLeave()) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', here);
    };
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    // Before the router, which listens in the other phase.
    addEventListener('click', onClick, true);
    addEventListener('popstate', onBack, true);
    addEventListener('beforeunload', onClose);
    return () => {
      question = null;
      removeEventListener('click', onClick, true);
      removeEventListener('popstate', onBack, true);
      removeEventListener('beforeunload', onClose);
    };
  }, [asks]);
}
