import { EVENT_KINDS, KIND_PATTERNS, selects } from '../../../../domain/webhooks/events/kinds.ts';
import { wordFor, words } from '../shared/words.ts';

/** The kinds of one resource, with the pattern that selects them all. */
interface KindGroup {
  readonly pattern: string;
  readonly kinds: readonly string[];
}

const GROUPS: readonly KindGroup[] = KIND_PATTERNS.filter((pattern) => pattern.endsWith('.*')).map((pattern) => ({
  pattern,
  kinds: Object.keys(EVENT_KINDS).filter((kind) => selects([pattern], kind)),
}));

/** A resource by the pattern of its kinds; a kind as it is. */
const resourceText = (pattern: string): string =>
  wordFor(words.webhooks.resources, pattern.replace('.*', '')) ?? pattern;

/** The chosen events in a few words. */
export const kindsText = (kinds: readonly string[]): string =>
  kinds.map((kind) => (kind === '*' ? words.webhooks.everyKind : resourceText(kind))).join(', ');

/** The events of an endpoint: whole resources, or single kinds of them. */
export function KindsField({
  kinds,
  onChange,
}: {
  readonly kinds: readonly string[];
  readonly onChange: (kinds: string[]) => void;
}) {
  return (
    <fieldset class="kinds">
      <legend class="field-label">{words.webhooks.kinds}</legend>
      {GROUPS.map((group) => (
        <GroupOfKinds key={group.pattern} group={group} chosen={kinds} onChange={onChange} />
      ))}
    </fieldset>
  );
}

interface GroupProps {
  readonly group: KindGroup;
  readonly chosen: readonly string[];
  readonly onChange: (kinds: string[]) => void;
}

function GroupOfKinds({ group: { pattern, kinds }, chosen, onChange }: GroupProps) {
  const every = selects(chosen, kinds[0]!) && chosen.some((one) => one === '*' || one === pattern);
  const others = () => outside(chosen, pattern);
  const change = (kind: string, wanted: boolean) => {
    const now = kinds.filter((one) => (one === kind ? wanted : selects(chosen, one)));
    onChange([...others(), ...(now.length === kinds.length ? [pattern] : now)]);
  };
  return (
    <div class="kind-group">
      <label class="check">
        <input
          type="checkbox"
          checked={every}
          onChange={({ currentTarget: { checked } }) => onChange([...others(), ...(checked ? [pattern] : [])])}
        />
        {resourceText(pattern)}
      </label>
      {!every && kinds.length > 1 && (
        <details open={kinds.some((kind) => selects(chosen, kind))}>
          <summary>{words.webhooks.singleKinds({ count: kinds.length })}</summary>
          {kinds.map((kind) => (
            <label key={kind} class="check">
              <input
                type="checkbox"
                checked={selects(chosen, kind)}
                onChange={({ currentTarget: { checked } }) => change(kind, checked)}
              />
              <span>
                <code>{kind}</code> <span class="soft">{wordFor(words.webhooks.about, kind.replace('.', '_'))}</span>
              </span>
            </label>
          ))}
        </details>
      )}
    </div>
  );
}

/** The chosen patterns of other resources; `*` counts as all of theirs. */
function outside(chosen: readonly string[], pattern: string): string[] {
  const spread = chosen.flatMap((one) => (one === '*' ? GROUPS.map((group) => group.pattern) : [one]));
  const resource = pattern.slice(0, -1);
  return spread.filter((one) => !one.startsWith(resource));
}
