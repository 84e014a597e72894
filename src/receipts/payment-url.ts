/** The page where a receipt is paid; it names the merchant, and where the card provider shall return the buyer to. */
export function paymentUrl(
  baseUrl: string,
  receipt: { readonly id: string; readonly merchant: string; readonly redirectUrl?: string | null },
): string {
  const query = new URLSearchParams({ recipient: receipt.merchant });
  if (receipt.redirectUrl) query.set('redirect_url', receipt.redirectUrl);
  return `${baseUrl}/portal/${encodeURIComponent(receipt.id)}?${query}`;
}
