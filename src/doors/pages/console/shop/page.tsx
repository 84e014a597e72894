import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { Tabs } from '../client/tabs.tsx';
import { ShopSettings } from '../generated/shop.ts';
import { words } from '../shared/words.ts';
import { LookForm } from './look-form.tsx';
import { NetworksForm } from './networks-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { RulesForm } from './rules-form.tsx';
import { TaxForm } from './tax-form.tsx';

const PARTS = ['look', 'about', 'rules', 'networks', 'tax'] as const;

/** The shop: how its pages look, how it is paid, and its taxes. */
export default function ShopPage() {
  const { query, url } = useLocation();
  const part = PARTS.find((each) => each === query.show) ?? 'look';
  const read = useRead(ShopSettings, {});
  const registeredName = read.data?.memberships.find(({ current }) => current)?.name;
  return (
    <>
      <PageHead title={words.shop.title} />
      <Tabs
        label={words.shop.title}
        tabs={PARTS.map((each) => ({
          href: changeQuery(url, { show: each === 'look' ? '' : each }),
          text: words.shop.parts[each],
          current: each === part,
        }))}
      />
      <Loaded read={read} of={read.data} place={<SkeletonCard kind="new-form" lines={2} />}>
        {({ shopConfig, pricingConfig, taxCatalog }) => (
          <>
            {part === 'look' && <LookForm shop={shopConfig} registeredName={registeredName ?? ''} />}
            {part === 'about' && <ProfileForm profile={shopConfig.profile} />}
            {part === 'rules' && <RulesForm shop={shopConfig} pricing={pricingConfig} />}
            {part === 'networks' && <NetworksForm shop={shopConfig} />}
            {part === 'tax' && <TaxForm jurisdictions={taxCatalog.jurisdictions} />}
          </>
        )}
      </Loaded>
    </>
  );
}
