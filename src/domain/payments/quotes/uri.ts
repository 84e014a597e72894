import QRCode from 'qrcode';
import type { Token } from '../../../base/chain/token.ts';
import type { Wallet } from '../../../base/core/wallet.ts';

/** The transfer that a wallet is asked to make. */
export interface PaymentRequest {
  readonly token: Pick<Token, 'address'>;
  readonly chainId: number;
  readonly payTo: Wallet;
  /** Base units. */
  readonly amount: bigint;
}

/** The payment request as a link for a QR code (EIP-681, https://eips.ethereum.org/EIPS/eip-681). */
export function paymentUri({ token, chainId, payTo, amount }: PaymentRequest): string {
  return token.address === null
    ? `ethereum:${payTo}@${chainId}?value=${amount}`
    : `ethereum:${token.address}@${chainId}/transfer?address=${payTo}&uint256=${amount}`;
}

const quietModules = 4;

const QUOTE_LABEL = 'QR code of the payment request';

/**
 * A QR code of `text` as an inline SVG: a line for each run of dark modules, on a light tile that includes the quiet
 * zone. `label` is the text for screen readers, inserted into the markup unescaped. The tile stays light in dark mode,
 * because many scanners do not read inverted codes.
 */
export function qrSvg(text: string, label = QUOTE_LABEL): string {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const size = modules.size;
  let path = '';
  for (let y = 0; y < size; y += 1) {
    let end: number | null = null;
    for (let x = 0; x < size; x += 1) {
      if (!modules.get(y, x)) continue;
      let run = 1;
      while (x + run < size && modules.get(y, x + run)) run += 1;
      path += end === null ? `M${x + quietModules} ${y + quietModules}` : `m${x - end} 0`;
      path += `h${run}`;
      x += run;
      end = x;
    }
  }
  const side = size + quietModules * 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -.5 ${side} ${side}" role="img" aria-label="${label}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0-.5h${side}v${side}H0z"/><path stroke="#14130f" d="${path}"/></svg>`
  );
}
