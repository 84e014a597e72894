import { announce } from '../../client/draw.ts';
import { ApiError, problemText } from '../../client/graphql.ts';

/** Sends the buyer's e-mail address once; then the form shows a confirmation. */
export function offerEmail(form: HTMLFormElement, save: (email: string) => Promise<unknown>): void {
  const input = form.querySelector('input');
  const button = form.querySelector('button');
  const note = form.querySelector<HTMLElement>('.hint');
  if (!input || !button || !note) return;
  const say = (text: string, wrong: boolean) => {
    note.textContent = text;
    note.classList.toggle('wrong', wrong);
    if (wrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    announce(text);
  };
  const done = (text: string) => {
    say(text, false);
    form.classList.add('saved');
    form.replaceChildren(note);
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const email = input.value.trim();
    if (button.disabled) return;
    if (!email || !input.checkValidity()) {
      say('This is not a valid e-mail address.', true);
      return input.focus();
    }
    button.disabled = true;
    try {
      await save(email);
      done(`Saved. The shop has ${email} with this order.`);
    } catch (error) {
      button.disabled = false;
      if (error instanceof ApiError && /already/.test(error.message)) done('This order already has an e-mail address.');
      else say(problemText(error), true);
    }
  });
}
