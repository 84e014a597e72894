import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Icon } from '../client/icon.tsx';
import { Loaded } from '../client/loaded.tsx';
import { networkName } from '../client/network-name.ts';
import { PageHead } from '../client/page-head.tsx';
import { Rows } from '../client/rows.tsx';
import { Facts, Section } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { OperatorState, type OperatorStateQuery } from '../generated/operator.ts';
import { locale, wordFor, words } from '../shared/words.ts';
import { Pauses } from './pauses.tsx';

type Platform = NonNullable<OperatorStateQuery['platform']>;

/** The installation, for its operator: what needs attention, and how far everything has come. */
export default function OperatorPage() {
  const read = useRead(OperatorState, {});
  const { again } = read;
  return (
    <>
      <PageHead title={words.operator.title} lead={words.operator.lead}>
        <Button brief="repeat" onClick={again}>
          {words.operator.refresh}
        </Button>
        <Button href="/console/operator/merchants">{words.operator.merchants}</Button>
      </PageHead>
      <Loaded read={read} of={read.data?.platform} place={4}>
        {(platform) => (
          <>
            <Alarms alarms={platform.alarms} />
            <Pauses paymentPauses={platform.paymentPauses} acceptedTokens={platform.acceptedTokens} onChange={again} />
            <Watchers watchers={platform.watchers} />
            <Queues queues={platform.queues} />
            <Wallets wallets={platform.wallets} />
            <Endpoints endpoints={platform.failingEndpoints} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Alarms({ alarms }: Pick<Platform, 'alarms'>) {
  return (
    <Section title={words.operator.alarms}>
      {alarms.length === 0 ? (
        <p class="card calm">
          <Icon name="check" />
          {words.operator.calm}
        </p>
      ) : (
        <Rows label={words.operator.alarms}>
          {alarms.map(({ code, message, action }) => (
            <li key={`${code} ${message}`} class="row alarm-row">
              <Status tone="bad">
                <span lang="en">{sentence(message)}</span>
              </Status>
              <span class="soft">{withCode(wordFor(words.operator.actions, code) ?? action)}</span>
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}

/** A line of the log as a page shows it: it begins with a capital, and addresses are short. */
const sentence = (message: string): string =>
  (message.charAt(0).toUpperCase() + message.slice(1)).replace(/0x[0-9a-f]{40}/g, shortHash);

/** A text whose commands stand between backticks. */
const withCode = (text: string) =>
  text.split('`').map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part));

function Watchers({ watchers }: Pick<Platform, 'watchers'>) {
  return (
    <Section title={words.operator.watcher}>
      <div class="watchers">
        {watchers.map((watcher) => (
          <section key={watcher.chainId} class="card" aria-label={networkName(watcher.chainId, watcher.network)}>
            {watchers.length > 1 && (
              <h3 class="watcher-name">{sentence(networkName(watcher.chainId, watcher.network))}</h3>
            )}
            <WatcherFacts watcher={watcher} />
          </section>
        ))}
      </div>
    </Section>
  );
}

const coins = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });

function WatcherFacts({ watcher }: { readonly watcher: Platform['watchers'][number] }) {
  const { head, scanned, confirmed, behindBlocks } = watcher;
  const block = (number: number | null, missing: string) =>
    number === null ? missing : <span class="number">{number.toLocaleString(locale)}</span>;
  return (
    <Facts
      facts={[
        [words.operator.head, block(head, words.operator.unknown)],
        [words.operator.scanned, block(scanned, words.operator.notYet)],
        [words.operator.confirmed, block(confirmed, words.operator.notYet)],
        [words.operator.behind, behindBlocks !== null && words.operator.blocks({ count: behindBlocks })],
      ]}
    />
  );
}

function Queues({ queues }: Pick<Platform, 'queues'>) {
  return (
    <Section title={words.operator.queues}>
      <Rows label={words.operator.queues}>
        {queues.map(({ name, waiting, oldestSeconds }) => (
          <li key={name} class="row server-row">
            <span>{words.operator.queueNames[name]}</span>
            <span class="soft row-end">
              {words.operator.waiting({ count: waiting })}
              {waiting > 0 && `, ${words.operator.oldest({ seconds: oldestSeconds })}`}
            </span>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

function Wallets({ wallets }: Pick<Platform, 'wallets'>) {
  const severalChains = new Set(wallets.map(({ chainId }) => chainId)).size > 1;
  return (
    <Section title={words.operator.wallets}>
      {wallets.length === 0 ? (
        <p class="card">{words.operator.noWallet}</p>
      ) : (
        <Rows label={words.operator.wallets}>
          {wallets.map(({ chainId, network, coin, role, address, balance, low }) => (
            <li key={`${chainId} ${address}`} class="row server-row">
              <span>
                {words.operator.walletRoles[role]}{' '}
                <span class="mono soft" title={address}>
                  {shortHash(address)}
                </span>
                {severalChains && (
                  <span class="soft"> {words.operator.onNetwork({ network: networkName(chainId, network) })}</span>
                )}
              </span>
              <span class="server-end">
                {balance !== null && <span class="number">{`${coins.format(Number(balance))} ${coin}`}</span>}
                <Status tone={low ? 'bad' : balance === null ? 'plain' : 'mark'} open={balance === null}>
                  {balance === null ? words.operator.unknown : low ? words.operator.low : words.operator.enough}
                </Status>
              </span>
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}

function Endpoints({ endpoints }: { readonly endpoints: Platform['failingEndpoints'] }) {
  return (
    <Section title={words.operator.endpoints}>
      {endpoints.length === 0 ? (
        <p class="card calm">
          <Icon name="check" />
          {words.operator.noEndpoint}
        </p>
      ) : (
        <Rows label={words.operator.endpoints}>
          {endpoints.map(({ endpointId, merchant, url, enabled, failingSince }) => (
            <li key={endpointId} class="row server-row">
              <span class="endpoint-of">
                <span class="cut" title={url}>
                  {url}
                </span>
                <a class="mono soft" href={`/console/operator/merchants?q=${merchant}`}>
                  {shortHash(merchant)}
                </a>
              </span>
              <span class="server-end soft">
                <Status tone={enabled ? 'warn' : 'muted'}>
                  {enabled ? words.operator.failing : words.operator.switchedOff}
                </Status>
                {failingSince !== null && (
                  <span>
                    {words.operator.failingSince} <When at={failingSince} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}
