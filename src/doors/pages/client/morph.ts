/** The reader opens and closes details, so a redraw leaves them as they are. */
const isReaders = (element: Element, name: string) => element instanceof HTMLDetailsElement && name === 'open';

function morphAttributes(from: Element, to: Element): void {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !isReaders(from, name)) from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) {
    from.checked = to.defaultChecked;
    from.disabled = to.disabled;
  }
}

/** Two nodes match if they have the same type, id, first class and stage. */
function alike(from: Node, to: Node): boolean {
  if (from.nodeName !== to.nodeName) return false;
  if (!(from instanceof HTMLElement) || !(to instanceof HTMLElement)) return true;
  return from.id === to.id && from.classList[0] === to.classList[0] && from.dataset.stage === to.dataset.stage;
}

/**
 * Updates the children of `from` to match those of `to`. Changes only what differs, so that focus, selection and
 * transitions survive.
 */
export function morphChildren(from: Element, to: Element): void {
  const wanted = [...to.childNodes];
  wanted.forEach((next, index) => {
    let current = from.childNodes[index];
    // Remove surplus nodes first, so that later siblings can match and are kept.
    while (current && !wanted.slice(index).some((later) => current && alike(current, later))) {
      current.remove();
      current = from.childNodes[index];
    }
    if (!current || !alike(current, next)) {
      from.insertBefore(next, current ?? null);
    } else if (current instanceof Element && next instanceof Element) {
      morphAttributes(current, next);
      morphChildren(current, next);
    } else if (current.nodeValue !== next.nodeValue) {
      current.nodeValue = next.nodeValue;
    }
  });
  while (from.childNodes.length > wanted.length) from.lastChild?.remove();
}
