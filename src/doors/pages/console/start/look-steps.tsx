import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useRead, useWrite } from '../client/ask.ts';
import { Check, Input, TextArea } from '../client/field.tsx';
import { Unread } from '../client/loaded.tsx';
import { type ShopFieldsFragment, ShopSettings, UpdateProfile, UpdateShop } from '../generated/shop.ts';
import { StartName } from '../generated/start.ts';
import { words } from '../shared/words.ts';
import { ColorField, isColor } from '../shop/color-field.tsx';
import { LogoField } from '../shop/logo-field.tsx';
import { Preview } from '../shop/preview.tsx';
import { TimeZoneSelect } from '../shop/profile-form.tsx';
import { Actions } from './actions.tsx';
import { isDone, type StepProps } from './steps.ts';

interface LookProps extends StepProps {
  readonly shop: ShopFieldsFragment;
  /** The name that buyers see now. */
  readonly name: string;
}

/** Reads what the steps of the look begin with. */
function WithShop({ children }: { readonly children: (read: Pick<LookProps, 'shop' | 'name'>) => ComponentChildren }) {
  const shop = useRead(ShopSettings, {}, { again: false });
  const names = useRead(StartName, {}, { again: false });
  const problem = shop.problem ?? names.problem;
  if (problem !== null || !shop.data || !names.data) return <Unread problem={problem} again={shop.again} />;
  const name = names.data.memberships.find(({ current }) => current)?.name ?? '';
  return children({ shop: shop.data.shopConfig, name });
}

interface LookFormProps {
  readonly children: ComponentChildren;
  readonly onSubmit: () => Promise<void>;
}

function Form({ children, onSubmit }: LookFormProps) {
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** The name that buyers see. */
export const NameStep = (props: StepProps) => <WithShop>{(read) => <NameForm {...props} {...read} />}</WithShop>;

type Said = Pick<ShopFieldsFragment['profile'], 'contactEmail' | 'address' | 'taxId' | 'timeZone'>;

/** What the shop has said of itself, with the zone of this browser as long as it has named no other. */
const proposedProfile = ({ profile: { contactEmail, address, taxId, timeZone } }: ShopFieldsFragment) => ({
  contactEmail: contactEmail ?? '',
  address: address ?? '',
  taxId: taxId ?? '',
  timeZone: timeZone === 'UTC' ? Intl.DateTimeFormat().resolvedOptions().timeZone : timeZone,
});

/** What exchanges and wallets usually deduct. */
const PROPOSED_TOLERANCE = { tolerancePct: 1, toleranceUsd: 1 };

function NameForm({ shop, name: now, nextUrl, onDone }: LookProps) {
  const [name, setName] = useState(now);
  const [accepts, setAccepts] = useState(true);
  const [profile, setProfile] = useState(() => proposedProfile(shop));
  const { busy, problem, send } = useWrite(UpdateShop);
  const said = useWrite(UpdateProfile);
  const isOpen = shop.tolerancePct === 0 && shop.toleranceUsd === 0;
  const save = async () => {
    const tolerance = isOpen && accepts ? PROPOSED_TOLERANCE : {};
    if (!name.trim()) return;
    if (!(await said.send({ input: { ...profile, name: name.trim() } }))) return;
    if (!isOpen || !accepts || (await send({ input: tolerance }))) onDone();
  };
  const same = Object.entries(profile).every(([field, value]) => (shop.profile[field as keyof Said] ?? '') === value);
  return (
    <Form onSubmit={save}>
      <Input
        label={words.shop.name}
        value={name}
        problem={name.trim() ? null : words.register.nameNeeded}
        onInput={setName}
      />
      <Input
        label={words.shop.profile.contactEmail}
        type="email"
        hint={words.shop.profileHints.contactEmail}
        value={profile.contactEmail}
        onInput={(contactEmail) => setProfile((old) => ({ ...old, contactEmail }))}
      />
      <TextArea
        label={words.shop.profile.address}
        hint={words.shop.profileHints.address}
        value={profile.address}
        onInput={(address) => setProfile((old) => ({ ...old, address }))}
      />
      <Input
        label={words.shop.profile.taxId}
        value={profile.taxId}
        onInput={(taxId) => setProfile((old) => ({ ...old, taxId }))}
      />
      <TimeZoneSelect zone={profile.timeZone} onChange={(timeZone) => setProfile((old) => ({ ...old, timeZone }))} />
      {isOpen && (
        <Check checked={accepts} onChange={setAccepts}>
          {words.start.tolerance}
        </Check>
      )}
      <Actions
        nextUrl={nextUrl}
        busy={busy || said.busy}
        problem={problem ?? said.problem}
        still={name === now && now !== '' && same && !(isOpen && accepts)}
      >
        {words.start.save}
      </Actions>
    </Form>
  );
}

/** The logo of the shop’s pages. */
export const LogoStep = (props: StepProps) => <WithShop>{(read) => <LogoForm {...props} {...read} />}</WithShop>;

function LogoForm({ shop, name, steps, nextUrl, onDone }: LookProps) {
  const { brandLogoUrl } = shop.theme;
  const [url, setUrl] = useState(brandLogoUrl);
  const [tried, setTried] = useState(false);
  const { busy, problem, send } = useWrite(UpdateShop);
  const save = async () => {
    setTried(true);
    if (url === brandLogoUrl) return;
    if (await send({ input: { theme: { brandLogoUrl: url } } })) onDone();
  };
  return (
    <Form onSubmit={save}>
      <LogoField name={name} url={url} onChange={setUrl} />
      <Actions
        nextUrl={nextUrl}
        busy={busy}
        problem={problem ?? (tried && url === null ? words.start.chooseLogo : null)}
        still={isDone(steps, 'logo') && url === brandLogoUrl}
      >
        {words.start.save}
      </Actions>
    </Form>
  );
}

const COLORS = ['primaryColor', 'accentColor'] as const;

/** The colours of the payment page, beside it. */
export const ColoursStep = (props: StepProps) => <WithShop>{(read) => <ColoursForm {...props} {...read} />}</WithShop>;

/** A colour to begin with, which is readable in light and in dark. */
const FIRST_COLOR = '#1f6f5c';

function ColoursForm({ shop, name, steps, nextUrl, onDone }: LookProps) {
  const { primaryColor, accentColor } = shop.theme;
  const [colors, setColors] = useState({ primaryColor: primaryColor ?? FIRST_COLOR, accentColor });
  const { busy, problem, send } = useWrite(UpdateShop);
  const wrong = COLORS.some((field) => colors[field] !== null && !isColor(colors[field]));
  const same = colors.primaryColor === primaryColor && colors.accentColor === accentColor;
  const save = async () => {
    if (!wrong && (await send({ input: { theme: colors } }))) onDone();
  };
  return (
    <Form onSubmit={save}>
      <div class="two">
        {COLORS.map((field) => (
          <ColorField
            key={field}
            label={words.shop.colors[field]}
            value={colors[field]}
            onChange={(color) => setColors((old) => ({ ...old, [field]: color }))}
          />
        ))}
      </div>
      <Actions nextUrl={nextUrl} busy={busy} problem={problem} still={isDone(steps, 'colours') && same}>
        {words.start.save}
      </Actions>
      <Preview name={name || words.yourShop} theme={{ ...shop.theme, ...colors }} />
    </Form>
  );
}
