import { useLocation } from 'preact-iso';
import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { Select } from '../client/field.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { pageVariables } from '../client/pager.tsx';
import { changeQuery } from '../client/query.ts';
import { SearchBox } from '../client/search-box.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { type MerchantRowFragment, Merchants } from '../generated/merchants.ts';
import { words } from '../shared/words.ts';
import { InviteShopDialog } from './invite.tsx';
import { ResumeDialog, SuspendDialog } from './suspension.tsx';

const STATES = ['active', 'suspended'] as const;

/** Every shop of the installation, for its operator, who suspends and resumes them here. */
export default function MerchantsPage() {
  const { query, url, route } = useLocation();
  const { isOpen, recordOf, hrefOf, open, close } = useDialogs();
  const state = STATES.find((one) => one === query.state) ?? null;
  const read = useRead(Merchants, {
    filter: { q: query.q || null, suspended: state === null ? null : state === 'suspended' },
    ...pageVariables(query),
  });
  const merchants = read.data?.platform?.merchants;
  const chosen = merchants?.nodes.find(({ wallet }) => wallet === (recordOf('suspend') ?? recordOf('resume')));
  const show = (changes: Record<string, string>) =>
    route(changeQuery(url, { ...changes, after: '', before: '' }), true);
  return (
    <>
      <PageHead
        title={words.merchants.title}
        lead={words.merchants.lead}
        up={{ href: '/console/operator', title: words.operator.title }}
      >
        <Button kind="primary" href={hrefOf('invite')}>
          {words.merchants.invite}
        </Button>
      </PageHead>
      <search class="filters">
        <SearchBox
          q={query.q ?? ''}
          label={words.merchants.search}
          hint={words.merchants.searchHint}
          onSearch={(q) => show({ q })}
        />
        <Select label={words.merchants.state} value={state ?? ''} onChange={(value) => show({ state: value })}>
          <option value="">{words.merchants.all}</option>
          {STATES.map((one) => (
            <option key={one} value={one}>
              {words.merchants.states[one]}
            </option>
          ))}
        </Select>
      </search>
      <LoadedRows
        read={read}
        of={merchants}
        place={3}
        label={words.merchants.title}
        empty={{ title: words.merchants.none, text: words.merchants.noneText }}
        row={(merchant) => (
          <MerchantRow
            key={merchant.id}
            merchant={merchant}
            onChoose={() => open(merchant.suspendedAt === null ? 'suspend' : 'resume', merchant.wallet)}
          />
        )}
      />
      <InviteShopDialog open={isOpen('invite')} onClose={close} />
      {chosen && isOpen('suspend') && <SuspendDialog merchant={chosen} onClose={close} />}
      {chosen && isOpen('resume') && <ResumeDialog merchant={chosen} onClose={close} />}
    </>
  );
}

interface MerchantRowProps {
  readonly merchant: MerchantRowFragment;
  readonly onChoose: () => void;
}

function MerchantRow({ merchant, onChoose }: MerchantRowProps) {
  const { wallet, name, paidCount, paidUsd, suspendedAt, suspendedReason } = merchant;
  const action = suspendedAt === null ? words.merchants.suspend : words.merchants.resume;
  return (
    <li class="row merchant-row">
      <span class="merchant-name">
        <bdi class="cut">{name}</bdi>
        <span class="mono soft" title={wallet}>
          {shortHash(wallet)}
        </span>
      </span>
      <span class="merchant-volume">
        <Money amount={paidUsd} currency="USD" />
        <span class="soft">{words.merchants.payments(paidCount)}</span>
      </span>
      <span class="merchant-state">
        <Status tone={suspendedAt === null ? 'mark' : 'bad'}>
          {suspendedAt === null ? words.merchants.states.active : words.merchants.states.suspended}
        </Status>
        {suspendedAt !== null && (
          <span class="soft">
            {words.merchants.since} <When at={suspendedAt} />: {suspendedReason}
          </span>
        )}
      </span>
      <Button kind="plain" label={`${action}: ${name}`} onClick={onChoose}>
        {action}
      </Button>
    </li>
  );
}
