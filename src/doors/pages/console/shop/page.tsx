import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { Tabs } from '../client/tabs.tsx';
import { ShopSettings } from '../generated/shop.ts';
import { words } from '../shared/words.ts';
import { LookForm } from './look-form.tsx';
import { NetworksForm } from './networks-form.tsx';
import { RulesForm } from './rules-form.tsx';
import { TaxForm } from './tax-form.tsx';

const PARTS = ['look', 'rules', 'networks', 'tax'] as const;

/** The shop: how its pages look, how it is paid, and its taxes. */
export default function ShopPage() {
  const { query, url } = useLocation();
  const part = PARTS.find((each) => each === query.show) ?? 'look';
  const { data, problem, again } = useRead(ShopSettings, {});
  const registeredName = data?.memberships.find(({ current }) => current)?.name;
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
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {!data && problem === null && (
        <div class="card new-form" aria-busy="true">
          <span class="skeleton" />
          <span class="skeleton" />
        </div>
      )}
      {data && part === 'look' && <LookForm shop={data.shopConfig} registeredName={registeredName ?? ''} />}
      {data && part === 'rules' && <RulesForm shop={data.shopConfig} pricing={data.pricingConfig} />}
      {data && part === 'networks' && <NetworksForm shop={data.shopConfig} />}
      {data && part === 'tax' && <TaxForm jurisdictions={data.taxCatalog.jurisdictions} />}
    </>
  );
}
