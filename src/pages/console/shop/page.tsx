import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { changeQuery } from '../client/query.ts';
import { ErrorNote } from '../components/error-note.tsx';
import { PageHead } from '../components/page-head.tsx';
import { ShopSettings } from '../generated/shop.ts';
import { words } from '../words.ts';
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
  return (
    <>
      <PageHead title={words.shop.title} />
      <nav class="choices shop-parts" aria-label={words.shop.title}>
        {PARTS.map((each) => (
          <a
            key={each}
            class="choice"
            aria-current={each === part ? 'page' : undefined}
            href={changeQuery(url, { show: each === 'look' ? '' : each })}
          >
            {words.shop.parts[each]}
          </a>
        ))}
      </nav>
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {!data && problem === null && (
        <div class="card new-form" aria-busy="true">
          <span class="skeleton" />
          <span class="skeleton" />
        </div>
      )}
      {data && part === 'look' && <LookForm shop={data.shopConfig} />}
      {data && part === 'rules' && <RulesForm shop={data.shopConfig} pricing={data.pricingConfig} />}
      {data && part === 'networks' && <NetworksForm shop={data.shopConfig} />}
      {data && part === 'tax' && <TaxForm jurisdictions={data.taxCatalog.jurisdictions} />}
    </>
  );
}
