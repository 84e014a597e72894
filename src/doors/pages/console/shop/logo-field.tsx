import { useState } from 'preact/hooks';
import { PictureProblem, readPicture } from '../catalog/pictures.ts';
import { Brand } from '../client/brand.tsx';
import { Button } from '../client/button.tsx';
import { words } from '../shared/words.ts';

interface LogoFieldProps {
  readonly name: string;
  readonly url: string | null;
  readonly onChange: (url: string | null) => void;
}

/** The logo: a picture that is chosen, as it will be seen. */
export function LogoField({ name, url, onChange }: LogoFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    setProblem(null);
    try {
      onChange(await readPicture(file));
    } catch (error) {
      setProblem(error instanceof PictureProblem ? error.message : words.pictures.failed);
    }
  };
  return (
    <div class="field">
      <span class="field-label">{words.shop.logo}</span>
      <div class="logo-field">
        <Brand name={name || words.yourShop} logoUrl={url} />
        <label class="button quiet">
          <input
            class="unseen"
            type="file"
            accept="image/*"
            onChange={({ currentTarget }) => {
              void read(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
          <span>{words.shop.chooseLogo}</span>
        </label>
        {url !== null && (
          <Button kind="plain" onClick={() => onChange(null)}>
            {words.shop.removeLogo}
          </Button>
        )}
      </div>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
