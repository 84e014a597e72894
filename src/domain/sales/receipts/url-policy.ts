import type { UrlPolicy } from '../../../base/core/url.ts';
import type { Settings } from '../../../base/platform/deps.ts';

/** The operator's policy for the URLs that callers give. */
export const urlPolicy = (settings: Settings): UrlPolicy => ({
  allowInsecure: settings.webhookAllowInsecure,
});
