import { useState } from 'preact/hooks';
import { LANGUAGE_NAMES } from '../../../../base/core/messages/languages.ts';
import { useWrite } from '../client/ask.ts';
import { Input, LabelledSelect, TextArea } from '../client/field.tsx';
import { type ShopFieldsFragment, UpdateProfile } from '../generated/shop.ts';
import { isUnchecked, wordFor, words } from '../shared/words.ts';
import { SettingsForm } from './settings-form.tsx';

type Profile = ShopFieldsFragment['profile'];

const TEXTS = ['contactEmail', 'contactPhone', 'contactUrl', 'taxId', 'replyTo'] as const;
const TYPES = {
  contactEmail: 'email',
  replyTo: 'email',
  contactPhone: 'text',
  contactUrl: 'text',
  taxId: 'text',
} as const;

/** The zones that this browser knows. */
const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface TimeZoneProps {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

/** The time zone of the shop. */
export function TimeZoneSelect({ zone, onChange }: TimeZoneProps) {
  return (
    <LabelledSelect label={words.shop.timeZone} hint={words.shop.timeZoneHint} value={zone} onChange={onChange}>
      {(ZONES.includes(zone) ? ZONES : [zone, ...ZONES]).map((each) => (
        <option key={each} value={each}>
          {each.replaceAll('_', ' ')}
        </option>
      ))}
    </LabelledSelect>
  );
}

/** What is said of the shop: how it is reached, who it is, and when its days begin. */
export function ProfileForm({ profile }: { readonly profile: Profile }) {
  const [given, setGiven] = useState<Profile>(profile);
  const { busy, problem, send } = useWrite(UpdateProfile);
  const change = (changes: Partial<Profile>) => setGiven((old) => ({ ...old, ...changes }));
  const text = (field: (typeof TEXTS)[number]) => (
    <Input
      label={words.shop.profile[field]}
      type={TYPES[field]}
      hint={wordFor(words.shop.profileHints, field)}
      value={given[field] ?? ''}
      onInput={(value) => change({ [field]: value })}
    />
  );
  const save = async () => (await send({ input: given })) !== null;
  return (
    <SettingsForm values={[given]} busy={busy} problem={problem} action={words.shop.saveProfile} save={save}>
      {text('contactEmail')}
      {text('contactPhone')}
      {text('contactUrl')}
      <TextArea
        label={words.shop.profile.address}
        hint={words.shop.profileHints.address}
        value={given.address ?? ''}
        onInput={(address) => change({ address })}
      />
      {text('taxId')}
      <TimeZoneSelect zone={given.timeZone} onChange={(timeZone) => change({ timeZone })} />
      <LabelledSelect
        label={words.shop.language}
        hint={isUnchecked(given.language) ? words.language.unchecked : undefined}
        value={given.language}
        onChange={(language) => change({ language })}
      >
        {Object.entries(LANGUAGE_NAMES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </LabelledSelect>
      {text('replyTo')}
    </SettingsForm>
  );
}
