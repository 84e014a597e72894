import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input, NumberField } from '../client/field.tsx';
import { Rows } from '../client/rows.tsx';
import { numberFrom, numberText } from '../client/typed-number.ts';
import { DeleteTax, SaveTax, type TaxFieldsFragment } from '../generated/shop.ts';
import { jurisdictionName, rateText } from '../selling/tax.tsx';
import { words } from '../shared/words.ts';

const NEW = { code: '', displayName: '', percent: '' };

/** A percentage as it is typed, as a rate from 0 to 1; null if it is none. */
function rateOf(percent: string): number | null {
  const value = numberFrom(percent, 'percent');
  return value !== null && value <= 100 ? Number((value / 100).toFixed(6)) : null;
}

/** The taxes that orders and the till choose from, and rates of the shop's own. */
export function TaxForm({ jurisdictions }: { readonly jurisdictions: readonly TaxFieldsFragment[] }) {
  const [draft, setDraft] = useState(NEW);
  const [tried, setTried] = useState(false);
  const saving = useWrite(SaveTax);
  const deleting = useWrite(DeleteTax);
  const rate = rateOf(draft.percent);
  const code = draft.code.trim();
  const problem = saving.problem ?? deleting.problem;
  const isOwn = jurisdictions.some((each) => each.own && each.code.toUpperCase() === code.toUpperCase());
  const submit = async () => {
    setTried(true);
    if (code === '' || rate === null) return;
    const input = { code, displayName: draft.displayName.trim() || null, rate };
    if (!(await saving.send({ input }))) return;
    setTried(false);
    setDraft(NEW);
  };
  const choose = ({ code: chosen, displayName, rate: old }: TaxFieldsFragment) => {
    setDraft({
      code: chosen,
      displayName: jurisdictionName({ code: chosen, displayName }),
      percent: numberText(old * 100, 'percent'),
    });
    scrollTo({ top: 0 });
  };
  const remove = async () => {
    if (await deleting.send({ code })) setDraft(NEW);
  };
  return (
    <>
      <form
        class="card new-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p class="soft">{words.shop.taxLead}</p>
        <div class="two">
          <Input
            label={words.shop.taxCode}
            value={draft.code}
            problem={tried && code === '' ? words.shop.taxCodeNeeded : null}
            onInput={(value) => setDraft({ ...draft, code: value })}
          />
          <NumberField
            label={words.shop.taxRate}
            kind="percent"
            value={draft.percent}
            problem={tried && rate === null ? words.shop.upTo({ most: 100 }) : null}
            onInput={(percent) => setDraft({ ...draft, percent })}
          />
        </div>
        <Input
          label={words.shop.taxName}
          value={draft.displayName}
          onInput={(displayName) => setDraft({ ...draft, displayName })}
        />
        <ErrorNote problem={problem} />
        <div class="save-row">
          <Button kind="primary" type="submit" busy={saving.busy}>
            {code !== '' && rate !== null ? words.shop.saveTaxFor({ code, rate: rateText(rate) }) : words.shop.saveTax}
          </Button>
          {isOwn && (
            <Button busy={deleting.busy} onClick={() => void remove()}>
              {words.shop.deleteTax}
            </Button>
          )}
        </div>
      </form>
      <TaxList jurisdictions={jurisdictions} onChoose={choose} />
    </>
  );
}

interface TaxListProps {
  readonly jurisdictions: readonly TaxFieldsFragment[];
  readonly onChoose: (jurisdiction: TaxFieldsFragment) => void;
}

function TaxList({ jurisdictions, onChoose }: TaxListProps) {
  return (
    <section class="section">
      <h2>{words.shop.taxes}</h2>
      <Rows label={words.shop.taxes}>
        {jurisdictions.map((each) => (
          <li key={each.code} class="row tax-row">
            <button type="button" class="row-link" onClick={() => onChoose(each)}>
              {jurisdictionName(each)}
            </button>
            <span class="soft">{each.own ? words.shop.ownTax({ code: each.code }) : each.code}</span>
            <span class="row-end number">{rateText(each.rate)}</span>
          </li>
        ))}
      </Rows>
    </section>
  );
}
