import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { words } from '../shared/words.ts';
import { Icon } from './icon.tsx';
import { mayDiscard } from './leaving.ts';
import { changeQuery } from './query.ts';

interface DialogProps {
  readonly open: boolean;
  readonly title: string;
  /** A drawer comes from the bottom of a phone. */
  readonly kind?: 'dialog' | 'drawer';
  /** A click beside it leaves it open: what it shows is not shown again. */
  readonly stays?: boolean;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * Moves the focus to the first field, which may have to be read first, unless the reader has moved it. On a phone that
 * would open the keyboard over what there is to read. Returns what stops it.
 */
function focusField(dialog: HTMLDialogElement): () => void {
  const first = document.activeElement;
  const watch = new MutationObserver(() => focus());
  const focus = () => {
    const field = dialog.querySelector<HTMLElement>('.input');
    if (field && document.activeElement === first) field.focus();
    if (field) watch.disconnect();
    return field !== null;
  };
  if (matchMedia('(pointer: fine)').matches && !focus()) watch.observe(dialog, { childList: true, subtree: true });
  return () => watch.disconnect();
}

/**
 * A modal dialog. Escape, the cross and a click beside it close it, after a question where something was typed. Its
 * content exists only while it is open.
 */
export function Dialog({ open, title, kind = 'dialog', stays = false, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  // The click that ends a selection of text may be beside the dialog, although it has begun in a field.
  const pressedBeside = useRef(false);
  const id = useId();
  // Before the content is painted: Escape and the focus of a dialog that is not modal yet would be lost.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (!open) return dialog.close();
    dialog.showModal();
    return focusField(dialog);
  }, [open]);
  const leave = () => {
    if (mayDiscard(ref.current ?? undefined)) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself.
    <dialog
      ref={ref}
      class={kind}
      aria-labelledby={id}
      // A dialog that its owner closes reports nothing: another one may be open by then.
      onClose={() => open && onClose()}
      onCancel={(event) => {
        // Of a list or a menu within it, Escape closes that alone.
        if (event.target !== ref.current) return;
        event.preventDefault();
        leave();
      }}
      onPointerDown={({ target }) => {
        pressedBeside.current = target === ref.current;
      }}
      onClick={({ target }) => {
        if (target === ref.current && pressedBeside.current && !stays) leave();
      }}
    >
      {open && (
        <div class="dialog-body">
          <header class="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" class="button plain" aria-label={words.close} onClick={leave}>
              <Icon name="cross" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}

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
