import { getAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../base/core/messages/languages.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import { qrSvg } from '../../../domain/payments/quotes/uri.ts';
import { buildPages } from '../app/assets.ts';
import { formatCents, withCents } from '../shared/amounts.ts';
import { toMarkup } from '../shared/html.ts';
import { ENGLISH } from '../shared/reading.ts';
import { pageCsp } from '../shared/send-page.ts';
import { contrast, fontStack, palette, parseColor, themeCss } from '../shared/theme.ts';
import { paymentTransaction, transferData, walletProblem } from './client/wallet.ts';
import { renderNotFoundPage, renderPortalPage, renderProblemPage } from './page.ts';
import { renderStage } from './panels.ts';
import { idleUi, stageModel, tokenOfSymbol } from './stage.ts';
import { ethQuote, hash, now, payTo, usdcQuote, viewOf } from './test/portal-view.ts';
import type { PortalView } from './view.ts';

const assets = { script: '/_next/static/portal.A.js', style: '/_next/static/portal.B.css' };
const nonce = 'bm9uY2U';
const page = (view: PortalView) =>
  renderPortalPage(view, assets, nonce).replace(/<template id="words"[^>]*><\/template>/, '');
/** Markup without the marks of what keeps its direction. */
const plain = (markup: string) => markup.replaceAll(/<\/?bdi[^>]*>/g, '');
const primaries = (markup: string) => markup.match(/class="button primary[^"]*"/g) ?? [];

describe('what merchants and buyers write', () => {
  const attack = '"><script>alert(1)</script><img src=x onerror=alert(2)>';

  it('is escaped everywhere', () => {
    const view = viewOf({
      receiptId: attack,
      failure: { code: attack },
      paid: { token: attack, display: attack },
      status: 'failed',
    });
    view.merchant = {
      name: attack,
      wallet: attack,
      theme: { primaryColor: attack, fontFamily: attack, brandLogoUrl: attack },
    };
    view.receipt.lineItems = [{ kind: 'item', label: attack, priceUsdCents: 100, thumb: attack }];
    view.chain.name = attack;
    const markup = page(view);
    expect(markup).not.toContain('<script>');
    expect(markup).not.toContain('<img src=x');
    expect(markup).toContain('&lt;script&gt;alert(1)');
  });

  it('cannot leave the style block', () => {
    const css = themeCss({ primaryColor: 'red;}</style>', textColor: '#fff}', fontFamily: 'x}</style><script>' });
    expect(css).not.toContain('<');
    expect(fontStack('constructor')).toBe(fontStack(null));
  });

  it('becomes a link or a picture only where it is a web address', () => {
    const view = viewOf({ status: 'completed', transactionHash: hash, returnUrl: 'javascript:alert(1)' });
    view.merchant.theme.brandLogoUrl = 'data:text/html,<script>';
    view.chain.explorerUrl = 'javascript:alert(1)//';
    expect(page(view)).not.toMatch(/(href|src)="(javascript|data:text)/);
  });
});

describe('each state', () => {
  const states: [string, PortalView, string][] = [
    ['waiting', viewOf(), 'How would you like to pay?'],
    ['waiting', viewOf({ status: 'generated' }), 'How would you like to pay?'],
    ['expired', viewOf({}, { quote: { ...ethQuote, expiresAt: now - 1 } }), 'Get a new ETH price'],
    [
      'short',
      viewOf({ status: 'tx_mismatch', missing: { token: 'USDC', amount: '23400000', display: '23.4' } }),
      '23.40 USDC are missing',
    ],
    [
      'failed',
      viewOf({ status: 'failed', failure: { code: 'PORTAL_PAY_EXPIRED_CARD' } }),
      'The card has expired. You can try again',
    ],
    ['waiting', viewOf({ expiresAt: now + 90_000 }), 'within <span data-expires='],
    ['ended', viewOf({ expiresAt: now - 1 }), 'This payment request has ended'],
    [
      'ended',
      viewOf({ status: 'failed', closedAt: now - 1, failure: { code: 'PORTAL_SESSION_EXPIRED' } }, { renewable: true }),
      'Get a new price',
    ],
    [
      'ended',
      viewOf({ status: 'failed', closedAt: now - 1, failure: { code: 'PORTAL_SESSION_CANCELLED' } }),
      'The shop has closed this request',
    ],
    ['seen', viewOf({ status: 'tx_mined', confirmations: 4, transactionHash: hash }), '4 of 12'],
    ['seen', viewOf({ status: 'tx_mined', transactionHash: hash }), 'about 2 minutes'],
    ['paid', viewOf({ status: 'paid', transactionHash: hash }), 'Print or save the receipt'],
    ['completed', viewOf({ status: 'completed', transactionHash: hash }), 'Paid and settled'],
    ['refunded', viewOf({ status: 'refunded', transactionHash: hash }), 'has sent this payment back'],
  ];

  it.each(states)('%s is drawn with its texts and one current step', (stage, view, words) => {
    const model = stageModel(view);
    const markup = toMarkup(renderStage(wordsOf('payment', 'en'), model, { ...idleUi, script: true }, null));
    const [visible = ''] = markup.split('id="pay-again"');
    expect(visible).toContain(`data-stage="${stage}"`);
    expect(plain(visible)).toContain(words);
    expect(primaries(visible)).toHaveLength(stage === 'seen' || (stage === 'ended' && !view.renewable) ? 0 : 1);
    expect(plain(page(view))).toContain(words);
  });

  it('offers the return to the shop before the receipt to keep, where the shop has named a page', () => {
    const markup = page(viewOf({ status: 'completed', returnUrl: 'https://shop.example/thanks?a=1' }));
    expect(markup).toContain('href="https://shop.example/thanks?a=1&amp;receiptId=R-1&amp;status=completed"');
    expect(markup).toContain('Return to <bdi>Northwind</bdi><span class="host">shop.example</span>');
    expect(markup.indexOf('Return to <bdi>Northwind')).toBeLessThan(markup.indexOf('Print or save the receipt'));
  });

  it('names the host and the seconds that are left, and both ways out, while the buyer is being taken to the shop', () => {
    const model = stageModel(viewOf({ status: 'paid', returnUrl: 'https://user.shop.example:8443/x' }));
    const markup = toMarkup(
      renderStage(wordsOf('payment', 'en'), model, { ...idleUi, script: true, leavingIn: 1 }, null),
    );
    expect(markup).toMatch(/<b class="host">user\.shop\.example:8443<\/b> in <span class="seconds">1<\/span> second\./);
    expect(markup).toContain('Go now');
    expect(markup).toContain('Stay here');
  });

  it('shows who got what once it is settled, with links where there is an explorer', () => {
    const share = {
      name: 'Northwind',
      wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      token: 'USDC',
      display: '128.76',
      released: true,
      transactionHash: hash,
    };
    const settlement = [share, { ...share, name: 'Platform', display: '0.65', transactionHash: null }];
    const known = page(
      viewOf(
        { status: 'completed' },
        { settlement, chain: { id: 8453, name: 'Base', explorerUrl: 'https://basescan.org', local: false } },
      ),
    );
    expect(known).toContain('128.76 USDC');
    expect(known).toContain(`href="https://basescan.org/tx/${hash}"`);
    expect(known).toContain('collected by the recipient');
    const local = page(viewOf({ status: 'completed' }, { settlement }));
    expect(local).not.toContain('/tx/');
    expect(local).toContain(`data-copy="${hash}"`);
    expect(page(viewOf())).toMatch(/id="settlement"[^>]* hidden/);
  });

  it('asks for an e-mail address only where none is known', () => {
    expect(page(viewOf({}, { asksEmail: true }))).toContain('Your e-mail address');
    expect(page(viewOf())).not.toContain('Your e-mail address');
  });

  it('has one best way to pay, and folds the others if there are several', () => {
    const wallet = { id: 'w', name: 'Fox', icon: '' };
    const ways = (rest: Partial<PortalView>, wallets: (typeof wallet)[]) => {
      const model = stageModel(viewOf({}, { card: { label: 'Card', opensInNewTab: false, test: false }, ...rest }));
      const markup = toMarkup(renderStage(wordsOf('payment', 'en'), model, { ...idleUi, script: true, wallets }, null));
      const [shown = '', folded = ''] = (markup.split('class="fold"')[0] ?? '').split('<details class="others');
      return [shown, folded].map((part) => [...part.matchAll(/data-action="([a-z-]+)"/g)].map(([, name]) => name));
    };
    expect(ways({ testWallet: false }, [])).toEqual([['open-wallet', 'pay-card'], []]);
    expect(ways({ testWallet: false, card: null }, [])).toEqual([['open-wallet'], []]);
    expect(ways({}, [])).toEqual([['pay-test', 'pay-card'], []]);
    expect(ways({ testWallet: false }, [wallet])).toEqual([['pay-wallet', 'pay-card'], []]);
    expect(ways({}, [wallet])).toEqual([['pay-wallet'], ['pay-test', 'pay-card']]);
  });

  it('offers the test wallet on a local chain only', () => {
    expect(page(viewOf())).toContain('data-action="pay-test"');
    expect(page(viewOf({}, { testWallet: false }))).not.toContain('data-action="pay-test"');
  });
});

describe('the page', () => {
  it('has no inline script, no inline style and no handler, and its one style block carries the nonce', () => {
    const markup = page(viewOf());
    expect(markup.match(/<script/g)).toHaveLength(1);
    expect(markup).toContain(`<script type="module" blocking="render" src="${assets.script}"></script>`);
    expect(markup).not.toMatch(/\sstyle="|\son[a-z]+="/);
    expect(markup.match(/<style/g)).toHaveLength(1);
    expect(markup).toContain(`<style nonce="${nonce}">`);
    expect(pageCsp(nonce)).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(pageCsp(nonce)).toContain("script-src 'self';");
    expect(pageCsp(nonce, ['/graphql', 'wss://pay.example/graphql'])).toContain(
      "connect-src 'self' wss://pay.example;",
    );
  });

  it('can be paid from without its script: amount, checksummed address, code and link', () => {
    const markup = page(viewOf());
    expect(markup).toContain('data-copy="129.41"');
    expect(markup).toContain('data-copy="0x5FbDB2315678afecb367f032d93F642f64180aa3"');
    expect(markup).toContain('aria-label="QR code of the payment request"');
    expect(markup).toContain(`href="${usdcQuote.uri.replace('&', '&amp;')}"`);
  });

  it('stays below 60 KB with twenty lines', () => {
    const line = { kind: 'item' as const, label: 'A product with a name of usual length', priceUsdCents: 1999, qty: 3 };
    const markup = page(viewOf({ lineItems: Array.from({ length: 20 }, () => line) }));
    expect(Buffer.byteLength(markup)).toBeLessThan(60_000);
  });

  it('weighs little more in one language than in another, with the messages of its script', () => {
    const bytes = LANGUAGES.map((language) => {
      const view = viewOf({}, { reading: { language, chosen: language, url: '/portal/R-1' }, asksEmail: true });
      return Buffer.byteLength(renderPortalPage(view, assets, nonce));
    });
    expect(Math.max(...bytes)).toBeLessThan(28_000);
    expect(bytes[0]).toBeLessThan(25_500);
  });

  it('names a total in its own currency, with the USD value beside it', () => {
    const markup = page(viewOf({ pricing: { currency: 'EUR', totalCents: 11936, usdPerUnit: '1.0842' } }));
    expect(markup).toContain('€119.36');
    expect(plain(markup)).toContain('$129.41 at 1.0842 USD per EUR');
  });

  it('has companions in the same dress for a receipt that is not there and for trouble', () => {
    for (const markup of [renderNotFoundPage(ENGLISH, assets, nonce), renderProblemPage(ENGLISH, assets, nonce)]) {
      expect(markup).toContain(assets.style);
      expect(markup).not.toContain('<script');
    }
  });
});

describe('the QR code', () => {
  /** Reads the modules from the drawn path. */
  function drawnModules(svg: string): Set<string> {
    const dark = new Set<string>();
    let [at, row] = [0, 0];
    for (const [, move, x, y, run] of svg.matchAll(/([Mm])(\d+) (\d+)h(\d+)/g)) {
      [at, row] = move === 'M' ? [Number(x), Number(y)] : [at + Number(x), row];
      for (let step = 0; step < Number(run); step += 1) dark.add(`${at + step},${row}`);
      at += Number(run);
    }
    return dark;
  }

  it('draws each dark module of the payment URI, and nothing in the quiet zone', async () => {
    const { default: QRCode } = await import('qrcode');
    const { modules } = QRCode.create(usdcQuote.uri, { errorCorrectionLevel: 'M' });
    const drawn = drawnModules(qrSvg(usdcQuote.uri));
    let wanted = 0;
    for (let y = 0; y < modules.size; y += 1) {
      for (let x = 0; x < modules.size; x += 1) {
        if (!modules.get(y, x)) continue;
        wanted += 1;
        expect(drawn.has(`${x + 4},${y + 4}`)).toBe(true);
      }
    }
    expect(drawn.size).toBe(wanted);
  });

  it('is drawn of the address alone as well, with its checksum, if an amount is to be paid', () => {
    const code = (markup: string) => /<div class="plain-qr">(<svg.*?<\/svg>)<\/div>/s.exec(markup)?.[1] ?? null;
    expect(code(page(viewOf()))).toBe(qrSvg(getAddress(payTo), 'QR code of the address'));
    expect(code(page({ ...viewOf(), quote: null }))).toBe(null);
  });

  it('is dark on light whatever the theme', () => {
    expect(qrSvg('x')).toContain('fill="#fff"');
  });
});

describe('colours', () => {
  it('are measured as WCAG does', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
    expect(contrast([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2);
    expect(parseColor('#0f8')).toEqual([0, 255, 136]);
    expect(parseColor('url(x)')).toBeNull();
  });

  const odd = ['#ffffff', '#000000', '#ffd400', '#ff00aa', '#808080', '#00ff00', '#1f3fd6', '#777', 'nonsense'];

  it.each(odd)('stay readable with %s for everything, in light and dark', (color) => {
    for (const mode of ['light', 'dark'] as const) {
      const theme = { primaryColor: color, secondaryColor: color, textColor: color, accentColor: color };
      const colors = palette(theme, mode);
      const ratio = (front: string, back: string) => contrast(colors[front]!, colors[back]!);
      for (const ground of ['paper', 'surface', 'stub']) {
        expect(ratio('ink', ground)).toBeGreaterThanOrEqual(7);
        expect(ratio('muted', ground)).toBeGreaterThanOrEqual(4.5);
        expect(ratio('link', ground)).toBeGreaterThanOrEqual(4.5);
        expect(ratio('mark', ground)).toBeGreaterThanOrEqual(3);
      }
      for (const ground of ['well', 'mark-tint', 'warn-tint', 'bad-tint']) {
        expect(ratio('ink', ground)).toBeGreaterThanOrEqual(4.5);
      }
      expect(ratio('muted', 'well')).toBeGreaterThanOrEqual(4.5);
      expect(ratio('link', 'well')).toBeGreaterThanOrEqual(4.5);
      expect(ratio('link', 'mark-tint')).toBeGreaterThanOrEqual(3);
      expect(ratio('on-accent', 'accent')).toBeGreaterThanOrEqual(4.5);
      expect(ratio('on-accent', 'accent-hover')).toBeGreaterThanOrEqual(4.5);
      expect(ratio('accent-edge', 'surface')).toBeGreaterThanOrEqual(3);
      expect(ratio('warn', 'warn-tint')).toBeGreaterThanOrEqual(4.5);
      expect(ratio('bad', 'bad-tint')).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('amounts', () => {
  it('are written from cents without a float', () => {
    expect(formatCents(12941, 'USD', 'en')).toBe('$129.41');
    expect(formatCents(-5, 'EUR', 'en')).toBe('-€0.05');
    expect(formatCents(999_999_999_999_99, 'USD', 'en')).toBe('$999,999,999,999.99');
  });

  it('have at least two decimals, and keep those that they have', () => {
    expect(['23.4', '67.82', '5', '0.041746'].map(withCents)).toEqual(['23.40', '67.82', '5.00', '0.041746']);
  });
});

describe('what a browser wallet is asked to send', () => {
  const { tokens } = viewOf();

  it('is an ERC-20 transfer of exactly the quoted base units', () => {
    expect(transferData(payTo, '129410000')).toBe(
      `0xa9059cbb000000000000000000000000${payTo.slice(2)}${(129410000).toString(16).padStart(64, '0')}`,
    );
    const sent = paymentTransaction('0xfrom', usdcQuote, tokens[1]!);
    expect(sent).toMatchObject({ to: tokens[1]!.address, value: '0x0' });
  });

  it("is the chain's own coin to the address of the receipt where the token has no contract", () => {
    const sent = paymentTransaction('0xfrom', ethQuote, tokens[0]!);
    expect(sent).toEqual({ from: '0xfrom', to: payTo, value: '0x944fc40ccb2000' });
  });

  it('says in a sentence that a declined request sent nothing', () => {
    const spoken = { say: wordsOf('payment', 'en'), sayWallet: wordsOf('wallet', 'en') };
    expect(walletProblem(spoken, { code: 4001 }, 'Base')).toContain('Nothing was sent');
  });
});

describe('the built files', () => {
  it('carry a hash of their content in their names and stay small', async () => {
    const { pages, files } = buildPages();
    expect(pages.portal.script).toMatch(/^\/_next\/static\/portal\.[A-Z0-9]+\.js$/);
    expect(pages.portal.style).toMatch(/^\/_next\/static\/portal\.[A-Z0-9]+\.css$/);
    expect(files.get(pages.portal.script)?.type).toContain('javascript');
    expect(files.get(pages.portal.script)?.body.length).toBeLessThanOrEqual(50_000);
    expect(files.get(pages.portal.style)?.type).toContain('text/css');
  });
});

describe('the choice between several chains', () => {
  it('lists token and network together, and shows the network and the time of the chosen one', () => {
    const view = viewOf();
    const on = (id: number, name: string, expectedTime: string) => ({
      id,
      name,
      local: true,
      expectedTime,
      choice: 'fast',
    });
    const [ether, usdc] = view.tokens as [PortalView['tokens'][0], PortalView['tokens'][0]];
    const slow = on(31_338, 'Slow', 'Usually confirmed within 1 minute.');
    const tokens = [
      { ...ether, chain: on(31_337, 'Local', 'Usually confirmed within a few seconds.') },
      { ...usdc, chain: on(31_337, 'Local', 'Usually confirmed within a few seconds.') },
      { ...usdc, id: 'USDC@31338', chain: slow },
    ];
    const markup = page({ ...view, tokens, tokenId: 'USDC@31338', chain: slow });
    expect(markup).toContain('value="USDC@31338" id="token-USDC@31338" checked');
    expect(markup).toContain('<span>USDC <small>Slow · fast</small></span>');
    expect(markup.match(/<small>Local · fast<\/small>/g)).toHaveLength(2);
    expect(markup).toContain('Usually confirmed within 1 minute.');
    expect(page(view)).not.toContain('<small>');
  });

  it('of more than four tokens takes two steps, and a currency stays on its network', () => {
    const view = viewOf();
    const on = (id: number, name: string) => ({ id, name, local: true, choice: 'fast' });
    const places = [
      { suffix: '', chain: on(31_337, 'Local') },
      { suffix: '@1', chain: on(1, 'Far') },
      { suffix: '@2', chain: on(2, 'Near') },
    ];
    const tokens = places.flatMap(({ suffix, chain }) =>
      view.tokens.map((token) => ({
        ...{ ...token, id: `${token.symbol}${suffix}`, chain },
        offered: token.symbol === 'USDC' || chain.id === 2,
        reason: 'Ether is not taken there.',
      })),
    );
    const markup = page({ ...view, tokens, tokenId: 'USDC@1' });
    expect(
      [...markup.matchAll(/<input type="radio" name="(\w+)" value="([^"]+)"/g)].map(([, ...found]) => found),
    ).toEqual([
      ['symbol', 'ETH'],
      ['symbol', 'USDC'],
      ['token', 'USDC'],
      ['token', 'USDC@1'],
      ['token', 'USDC@2'],
    ]);
    expect(markup).toContain('<span>Far <small>fast</small></span>');
    expect(markup).not.toContain('<p class="hint">Ether is not taken there.');
    expect(tokenOfSymbol(tokens, 'USDC', 'ETH@2')?.id).toBe('USDC@2');
    expect(tokenOfSymbol(tokens, 'ETH', 'USDC@1')?.id).toBe('ETH@2');
    expect(tokenOfSymbol(tokens, 'DAI', 'USDC@1')).toBe(undefined);
  });

  it('is named below the address, each network with what it takes', () => {
    const view = viewOf();
    const on = (name: string) => ({ id: 1, name, local: true, choice: 'fast' });
    const [ether, usdc] = view.tokens as [PortalView['tokens'][0], PortalView['tokens'][0]];
    const taken = (tokens: PortalView['tokens']) => /The address takes ([^.]*)\./.exec(page({ ...view, tokens }))?.[1];
    expect(taken(view.tokens)).toBe('ETH and USDC on Local');
    expect(taken([ether, { ...usdc, offered: false }])).toBe('ETH on Local');
    const both = (name: string) => [ether, usdc].map((token) => ({ ...token, chain: on(name) }));
    expect(taken([...both('Base'), ...both('Polygon'), { ...usdc, chain: on('Ethereum') }])).toBe(
      'ETH and USDC on Base and Polygon, and USDC on Ethereum',
    );
  });
});

describe('the address', () => {
  it('is said to be new only where the receipt had another one', () => {
    expect(page(viewOf({}, { addressChanged: true }))).toContain('This order has a new address.');
    expect(page(viewOf())).not.toContain('new address');
  });
});
