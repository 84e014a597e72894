import { useId, useState } from 'preact/hooks';
import { Icon } from '../client/icon.tsx';
import { words } from '../shared/words.ts';
import type { Draft } from './draft.ts';
import { PictureProblem, readPicture, thumbOf } from './pictures.ts';

const MAX_PICTURES = 8;

/** The small picture; without it, lists show the first letter of the name. */
const smallOf = (uri: string): Promise<string | null> => thumbOf(uri).catch(() => null);

interface PictureFieldProps {
  readonly pictures: readonly string[];
  readonly onChange: (changes: Pick<Draft, 'images' | 'thumb'>) => void;
}

/** The pictures of an item: the first is shown in lists. Files are chosen or dropped here. */
export function PictureField({ pictures, onChange }: PictureFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const add = async (files: readonly File[]) => {
    setProblem(null);
    setBusy(true);
    try {
      const read = await Promise.all(files.slice(0, MAX_PICTURES - pictures.length).map(readPicture));
      const images = [...pictures, ...read];
      onChange(pictures.length === 0 && read[0] ? { images, thumb: await smallOf(read[0]) } : { images });
    } catch (error) {
      setProblem(error instanceof PictureProblem ? error.message : words.pictures.failed);
    }
    setBusy(false);
  };
  const remove = async (at: number) => {
    const images = pictures.filter((_, n) => n !== at);
    const [first] = images;
    if (at > 0) return onChange({ images });
    onChange({ images, thumb: first === undefined ? null : await smallOf(first) });
  };
  return (
    <div class="field">
      <span class="field-label" id={id}>
        {words.pictures.label}
      </span>
      <ul
        class="pictures"
        aria-labelledby={id}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void add([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        {pictures.map((uri, n) => (
          <li key={uri} class="picture">
            <img src={uri} alt={words.pictures.nth({ n: n + 1 })} />
            <button type="button" aria-label={words.pictures.remove({ n: n + 1 })} onClick={() => void remove(n)}>
              <Icon name="cross" />
            </button>
          </li>
        ))}
        {pictures.length < MAX_PICTURES && (
          <li class="picture add">
            <label>
              <input
                class="unseen"
                type="file"
                accept="image/*"
                multiple
                onChange={({ currentTarget }) => {
                  void add([...(currentTarget.files ?? [])]);
                  currentTarget.value = '';
                }}
              />
              <span>{busy ? words.loading : words.pictures.add}</span>
            </label>
          </li>
        )}
      </ul>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
