/** A place that levies a tax. Rates are decimal text from 0 to 1; `rate` is the sum of the components. */
export interface Jurisdiction {
  readonly code: string;
  readonly displayName: string;
  readonly rate: string;
  readonly components: readonly { readonly code: string; readonly rate: string }[];
  /** Epoch ms. */
  readonly updatedAt: number;
}
