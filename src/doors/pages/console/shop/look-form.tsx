import { useState } from 'preact/hooks';
import { FONT_NAMES } from '../../shared/theme.ts';
import { useWrite } from '../client/ask.ts';
import { Input, LabelledSelect } from '../client/field.tsx';
import { type ShopFieldsFragment, UpdateShop } from '../generated/shop.ts';
import { words } from '../shared/words.ts';
import { ColorField, isColor } from './color-field.tsx';
import { LogoField } from './logo-field.tsx';
import { Preview } from './preview.tsx';
import { SaveRow } from './settings-form.tsx';

const COLORS = ['primaryColor', 'accentColor', 'secondaryColor', 'textColor'] as const;

type Look = Pick<ShopFieldsFragment['theme'], (typeof COLORS)[number] | 'brandLogoUrl' | 'fontFamily'>;

interface LookFormProps {
  readonly shop: ShopFieldsFragment;
  /** What buyers see as long as the shop has no name of its own. */
  readonly registeredName: string;
}

/** Name, logo, colours and font, with the payment page as it will be. */
export function LookForm({ shop, registeredName }: LookFormProps) {
  const { brandLogoUrl, fontFamily, primaryColor, accentColor, secondaryColor, textColor } = shop.theme;
  const [name, setName] = useState(shop.name ?? registeredName);
  const [look, setLook] = useState<Look>({
    brandLogoUrl,
    fontFamily,
    primaryColor,
    accentColor,
    secondaryColor,
    textColor,
  });
  const [saved, setSaved] = useState(false);
  const { busy, problem, send } = useWrite(UpdateShop);
  const change = (changes: Partial<Look>) => {
    setSaved(false);
    setLook((old) => ({ ...old, ...changes }));
  };
  const shownName = name.trim() || registeredName || words.yourShop;
  const wrong = COLORS.some((field) => look[field] !== null && !isColor(look[field]));
  const submit = async () => {
    if (wrong) return;
    setSaved((await send({ input: { name: name.trim() || null, theme: look } })) !== null);
  };
  return (
    <div class="look">
      <form
        class="card new-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Input
          label={words.shop.name}
          hint={words.shop.nameHint}
          value={name}
          onInput={(value) => {
            setSaved(false);
            setName(value);
          }}
        />
        <LogoField name={shownName} url={look.brandLogoUrl} onChange={(url) => change({ brandLogoUrl: url })} />
        <div class="two">
          {COLORS.map((field) => (
            <ColorField
              key={field}
              label={words.shop.colors[field]}
              value={look[field]}
              onChange={(color) => change({ [field]: color })}
            />
          ))}
        </div>
        <LabelledSelect
          label={words.shop.font}
          value={look.fontFamily ?? ''}
          onChange={(font) => change({ fontFamily: font || null })}
        >
          <option value="">{words.shop.usualFont}</option>
          {FONT_NAMES.map((font) => (
            <option key={font} value={font}>
              {font}
            </option>
          ))}
        </LabelledSelect>
        <SaveRow busy={busy} saved={saved} problem={problem}>
          {words.shop.saveLook}
        </SaveRow>
      </form>
      <Preview name={shownName} theme={look} />
    </div>
  );
}
