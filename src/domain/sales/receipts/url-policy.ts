import type { UrlPolicy } from '../../../base/core/url.ts';
import type { Deps } from '../../../base/platform/deps.ts';

/** The operator's policy for the URLs that callers give. */
export const urlPolicy = ({ settings }: Pick<Deps, 'settings'>): UrlPolicy => ({
  allowInsecure: settings.webhookAllowInsecure,
});
