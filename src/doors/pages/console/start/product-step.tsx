import { useLocation } from 'preact-iso';
import { NewItem } from '../catalog/item-dialog.tsx';
import { Button } from '../client/button.tsx';
import { words } from '../shared/words.ts';
import { isDone, type StepProps } from './steps.ts';

/** The first product, in the form of the catalog. */
export function ProductStep({ steps, nextUrl, onDone }: StepProps) {
  const { route } = useLocation();
  if (!isDone(steps, 'product'))
    return <NewItem categories={[]} leave={words.start.later} onClose={() => route(nextUrl)} onSaved={onDone} />;
  return (
    <>
      <p>{words.start.hasProduct}</p>
      <div class="save-row">
        <Button kind="primary" href={nextUrl}>
          {words.start.next}
        </Button>
        <Button href="/console/catalog">{words.start.toCatalog}</Button>
      </div>
    </>
  );
}
