import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { shortHash } from '../../shared/amounts.ts';
import { useCreate, useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Confirm, ConfirmWrite, ReasonDialog } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { Input, Select } from '../client/field.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { pageVariables } from '../client/rows.tsx';
import { SearchBox } from '../client/search-box.tsx';
import { SecretDialog } from '../client/secret-dialog.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import {
  InviteShop,
  type MerchantRowFragment,
  Merchants,
  ResumeMerchant,
  SuspendMerchant,
} from '../generated/merchants.ts';
import { words } from '../shared/words.ts';

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
        <span class="soft">{words.merchants.payments({ count: paidCount })}</span>
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

/** Makes a link that registers one shop, and shows it once. */
function InviteShopDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [note, setNote] = useState('');
  const [link, setLink] = useState<string | null>(null);
  const { busy, problem, send, clear } = useCreate(InviteShop);
  const close = () => {
    clear();
    onClose();
  };
  const invite = async () => {
    const made = await send({ note: note.trim() || null });
    if (!made?.inviteMerchant) return;
    setLink(`${location.origin}/console/register#${made.inviteMerchant.code}`);
    setNote('');
    close();
  };
  return (
    <>
      <Confirm
        open={open}
        title={words.merchants.invite}
        action={words.merchants.inviteAction}
        busy={busy}
        problem={problem}
        onConfirm={() => void invite()}
        onClose={close}
      >
        <p>{words.merchants.inviteText}</p>
        <Input
          label={words.merchants.inviteNote}
          hint={words.merchants.inviteNoteHint}
          value={note}
          onInput={setNote}
        />
      </Confirm>
      <SecretDialog
        secret={link}
        title={words.merchants.linkTitle}
        text={words.merchants.linkText}
        onClose={() => setLink(null)}
      />
    </>
  );
}

interface SuspensionDialogProps {
  readonly merchant: MerchantRowFragment;
  readonly onClose: () => void;
}

/** Suspends a shop with a reason, after saying what that does. */
function SuspendDialog({ merchant: { wallet, name }, onClose }: SuspensionDialogProps) {
  const { busy, problem, send } = useWrite(SuspendMerchant);
  const suspend = async (reason: string) => {
    if (await send({ wallet, reason })) onClose();
  };
  return (
    <ReasonDialog
      title={words.merchants.suspendTitle({ name })}
      action={words.merchants.suspend}
      busy={busy}
      problem={problem}
      onConfirm={(reason) => void suspend(reason)}
      onClose={onClose}
    >
      <p>{words.merchants.suspendText}</p>
    </ReasonDialog>
  );
}

/** Ends the suspension of a shop, after saying what that does. */
function ResumeDialog({ merchant: { wallet, name }, onClose }: SuspensionDialogProps) {
  return (
    <ConfirmWrite
      open
      title={words.merchants.resumeTitle({ name })}
      action={words.merchants.resume}
      write={ResumeMerchant}
      variables={{ wallet }}
      onClose={onClose}
    >
      <p>{words.merchants.resumeText}</p>
    </ConfirmWrite>
  );
}
