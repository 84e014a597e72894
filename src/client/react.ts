import { type CheckoutEvent, type CheckoutOptions, openCheckout } from './checkout.ts';

/* The package `quittance/react`. It is given the page's React, and has none itself. */

/** What it uses of React. */
export interface ReactLike {
  createElement(type: 'div', props: object): unknown;
  useEffect(effect: () => () => void, inputs: readonly unknown[]): void;
  useRef<Value>(value: Value): { current: Value };
}

export type CheckoutProps = Omit<CheckoutOptions, 'within' | 'onEvent'> & {
  readonly onEvent?: (event: CheckoutEvent) => void;
};

/**
 * The component that shows a payment in its place.
 *
 * @example
 * const Checkout = checkoutFor(React);
 * <Checkout url={url} receipt={receiptId} token={checkoutToken} onEvent={(event) => …} />
 */
export const checkoutFor =
  ({ createElement, useEffect, useRef }: ReactLike) =>
  (props: CheckoutProps): never => {
    const place = useRef<Node | null>(null);
    const latest = useRef(props);
    latest.current = props;
    const { url, receipt, token } = props;
    useEffect(() => {
      const onEvent = (event: CheckoutEvent) => latest.current.onEvent?.(event);
      return openCheckout({ ...latest.current, within: place.current!, onEvent }).close;
    }, [url, receipt, token]);
    // React's own type of an element is not known here.
    return createElement('div', { ref: place }) as never;
  };
