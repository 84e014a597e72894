import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { Dialog } from '../client/dialog.tsx';
import { mayLeave } from '../client/leaving.ts';
import { words } from '../shared/words.ts';
import { PAGES } from './registry.ts';

const OFF = 'console.keys.off';
/** The time for the second key after `g`. */
const SECOND_MS = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName));

/** Moves the focus to the search box of the page; false if it has none. */
function focusSearch(): boolean {
  const box = document.querySelector<HTMLInputElement>('input[type="search"]');
  box?.focus();
  box?.select();
  return box !== null;
}

/** Moves the focus to the next or previous row of the page's list. */
function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('.row-link')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step;
  rows[next]?.focus();
}

/** The keys of the console, as long as no text is being typed and the reader has not turned them off. */
export function useKeys({ onHelp }: { readonly onHelp: () => void }): void {
  const { route } = useLocation();
  const { mayOpen } = useRights();
  const wentAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target) || document.querySelector('dialog[open]')) return;
      if (localStorage.getItem(OFF) !== null) return;
      const going = event.timeStamp - wentAt.current < SECOND_MS;
      wentAt.current = 0;
      const page = going ? PAGES.find((each) => each.key === key && mayOpen(each)) : undefined;
      if (page) mayLeave() && route(page.path);
      else if (key === 'g') wentAt.current = event.timeStamp;
      else if (key === '?') onHelp();
      else if (key === 'j') focusRow(1);
      else if (key === 'k') focusRow(-1);
      else if (key !== '/') return;
      else if (!focusSearch() && mayLeave()) route('/console/receipts?search');
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [route, onHelp]);
}

/** All keys, and the switch that turns them off. */
export function KeyDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [off, setOff] = useState(() => localStorage.getItem(OFF) !== null);
  const { mayOpen } = useRights();
  const choose = (on: boolean) => {
    setOff(!on);
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
  };
  const rows: [keys: readonly string[], text: string][] = [
    [['/'], words.keys.search],
    ...PAGES.filter(mayOpen).flatMap(({ key, title }): [string[], string][] =>
      key ? [[['g', key], words.keys.goTo({ page: title() })]] : [],
    ),
    [['j'], words.keys.next],
    [['k'], words.keys.previous],
    [['?'], words.keys.title],
  ];
  return (
    <Dialog open={open} title={words.keys.title} onClose={onClose}>
      <dl class="keys">
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={!off} onChange={({ currentTarget }) => choose(currentTarget.checked)} />
        <span>{words.keys.on}</span>
      </label>
    </Dialog>
  );
}
