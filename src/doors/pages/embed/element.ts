import { type Checkout, openCheckout, wordsIn } from '../../../client/checkout.ts';

/* The script that shops load: `<script src="…/embed.js">`. */

const { src } = document.currentScript as HTMLScriptElement;

/**
 * `<quittance-checkout receipt="…" token="…">` is a button that opens the payment in a dialog. What is in the element
 * is the button. With `inline` the payment is in its place. Its events are `seen`, `paid`, `ended` and `closed`.
 */
class QuittanceCheckout extends HTMLElement {
  #shown: Checkout | null = null;
  #isReady = false;

  connectedCallback(): void {
    if (this.hasAttribute('inline')) {
      this.replaceChildren();
      this.open();
      return;
    }
    if (this.#isReady) return;
    this.#isReady = true;
    if (this.childElementCount === 0) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = this.textContent?.trim() || wordsIn(this.lang).pay;
      this.replaceChildren(button);
    }
    this.addEventListener('click', () => this.open());
  }

  disconnectedCallback(): void {
    this.close();
  }

  /** Shows the payment, if it is not shown. */
  open(): void {
    this.#shown ??= openCheckout({
      url: src.replace(/\/embed\.js.*$/, ''),
      receipt: this.getAttribute('receipt') ?? '',
      token: this.getAttribute('token') ?? '',
      language: this.lang || undefined,
      title: this.getAttribute('label') ?? undefined,
      closeLabel: this.getAttribute('close-label') ?? undefined,
      within: this.hasAttribute('inline') ? this : undefined,
      onEvent: (event) => {
        if (event === 'closed') this.#shown = null;
        this.dispatchEvent(
          new CustomEvent(event, { bubbles: true, detail: { receipt: this.getAttribute('receipt') } }),
        );
      },
    });
  }

  /** Removes the payment. */
  close(): void {
    this.#shown?.close();
  }
}

if (!customElements.get('quittance-checkout')) customElements.define('quittance-checkout', QuittanceCheckout);
