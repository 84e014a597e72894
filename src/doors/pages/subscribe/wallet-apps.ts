/** A wallet app, and the link that opens a web page in its browser. */
export interface WalletApp {
  readonly name: string;
  readonly link: string;
}

/**
 * Links that open a page in the browsers of common wallet apps. No link works in every app, so the user chooses one.
 *
 * @param pageUrl absolute; `https:` outside a test network, because the apps open no other
 */
export function walletApps(pageUrl: string): WalletApp[] {
  const { host, pathname, search } = new URL(pageUrl);
  const encoded = encodeURIComponent(pageUrl);
  return [
    { name: 'MetaMask', link: `https://metamask.app.link/dapp/${host}${pathname}${search}` },
    { name: 'Coinbase Wallet', link: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
    { name: 'Trust Wallet', link: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}` },
  ];
}
