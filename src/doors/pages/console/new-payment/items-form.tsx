import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { priceOf } from '../catalog/item.ts';
import { Thumb } from '../catalog/thumb.tsx';
import { useCreate, useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { Empty } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { changeQuery } from '../client/query.ts';
import { Rows, SkeletonRows } from '../client/rows.tsx';
import { SearchBox } from '../client/search-box.tsx';
import { type CatalogItemFragment, CatalogItems } from '../generated/catalog.ts';
import { CreatePaymentLink } from '../generated/links.ts';
import { SellItems, type SellingShopQuery } from '../generated/selling.ts';
import { chargedText } from '../selling/fee.ts';
import { words } from '../shared/words.ts';
import { type Making, useTerms } from './terms.tsx';

const SHOWN = 20;
const MOST = 100_000;

type Cart = ReadonlyMap<string, { readonly item: CatalogItemFragment; readonly qty: number }>;

/** A payment of items from the catalog. */
export function ItemsForm({ shop, making }: { readonly shop: SellingShopQuery; readonly making: Making }) {
  const { route } = useLocation();
  const [cart, setCart] = useState<Cart>(new Map());
  const [reference, setReference] = useState('');
  const [tried, setTried] = useState(false);
  const { terms, limits, isWrong, taxRate, fields } = useTerms(shop, making);
  const selling = useCreate(SellItems);
  const linking = useCreate(CreatePaymentLink);
  const { busy, problem } = making === 'link' ? linking : selling;
  const change = (item: CatalogItemFragment, by: number) => {
    const qty = Math.min(MOST, (cart.get(item.id)?.qty ?? 0) + by);
    const next = new Map(cart);
    if (qty > 0) next.set(item.id, { item, qty });
    else next.delete(item.id);
    setCart(next);
  };
  const count = [...cart.values()].reduce((sum, { qty }) => sum + qty, 0);
  const submit = async () => {
    setTried(true);
    const items = [...cart.values()].map(({ item: { id }, qty }) => ({ item: { id }, qty }));
    const name = reference.trim();
    if (making === 'link') {
      if (!name || isWrong) return;
      const link = await linking.send({ input: { name, content: { items }, ...terms, ...limits() } });
      if (link?.createPaymentLink) route(`/console/links/${link.createPaymentLink.linkId}`);
      return;
    }
    const made = await selling.send({ input: { items, transactionId: name || null, ...terms } });
    if (made) route(`/console/new?receipt=${encodeURIComponent(made.createOrder.receiptId)}`);
  };
  return (
    <form
      class="new-items"
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0) void submit();
      }}
    >
      <ItemList cart={cart} onChange={change} />
      <div class="card new-form">
        <Input
          label={making === 'link' ? words.newPayment.note : words.newPayment.reference}
          value={reference}
          problem={making === 'link' && tried && !reference.trim() ? words.catalog.nameNeeded : null}
          onInput={setReference}
        />
        {fields}
        <p class="soft">{cartText(shop, cart, taxRate)}</p>
        <ErrorNote problem={problem} />
        <Button kind="primary" type="submit" busy={busy} disabled={count === 0}>
          {words.newPayment.createOf({ count })}
        </Button>
      </div>
    </form>
  );
}

/** What the buyer is charged; of prices in two currencies the order itself says it. */
function cartText(shop: SellingShopQuery, cart: Cart, taxRate: number): string {
  const lines = [...cart.values()].map(({ item, qty }) => ({ ...priceOf(item), taxable: item.taxable, qty }));
  const [first] = lines;
  if (!first || lines.some(({ currency }) => currency !== first.currency)) return '';
  const typed = lines.map(({ amount, taxable, qty }) => ({ cents: Math.round(amount * 100) * qty, taxable }));
  return chargedText(shop, typed, taxRate, first.currency);
}

interface ItemListProps {
  readonly cart: Cart;
  readonly onChange: (item: CatalogItemFragment, by: number) => void;
}

function ItemList({ cart, onChange }: ItemListProps) {
  const { query, url, route } = useLocation();
  const { q = '' } = query;
  const { data, problem, loading, again } = useRead(CatalogItems, { q: q || null, first: SHOWN });
  const found = data?.inventory.nodes ?? [];
  const chosen = [...cart.values()].map(({ item }) => item);
  const items = [...chosen, ...found.filter(({ id }) => !cart.has(id))];
  return (
    <div>
      <search class="filters">
        <SearchBox
          q={q}
          label={words.catalog.search}
          hint={words.catalog.searchHint}
          onSearch={(text) => route(changeQuery(url, { q: text }), true)}
        />
      </search>
      <ErrorNote problem={problem} again={again} />
      {!data && problem === null && <SkeletonRows count={3} />}
      {data && items.length === 0 && (
        <Empty
          title={q ? words.catalog.noneFound : words.catalog.none}
          text={q ? words.catalog.noneFoundText : words.catalog.noneText}
          action={{ href: '/console/catalog?do=add', text: words.catalog.add }}
        />
      )}
      {items.length > 0 && (
        <Rows label={words.newPayment.items} old={loading}>
          {items.map((item) => (
            <ItemRow
              key={item.id}
              item={item}
              qty={cart.get(item.id)?.qty ?? 0}
              onChange={(by) => onChange(item, by)}
            />
          ))}
        </Rows>
      )}
    </div>
  );
}

interface ItemRowProps {
  readonly item: CatalogItemFragment;
  readonly qty: number;
  readonly onChange: (by: number) => void;
}

function ItemRow({ item, qty, onChange }: ItemRowProps) {
  const { amount, currency } = priceOf(item);
  return (
    <li class="row new-item">
      <Thumb url={item.thumbUrl} name={item.name} />
      <span class="catalog-name">
        <bdi>{item.name}</bdi>
        <span class="soft">
          <Money amount={amount} currency={currency} />
        </span>
      </span>
      <span class="new-qty">
        {qty > 0 && (
          <>
            <Button kind="plain" label={words.newPayment.less({ name: item.name })} onClick={() => onChange(-1)}>
              <Icon name="minus" />
            </Button>
            <output class="number" aria-label={words.newPayment.qtyOf({ name: item.name })}>
              {qty}
            </output>
          </>
        )}
        <Button kind="plain" label={words.newPayment.more({ name: item.name })} onClick={() => onChange(1)}>
          <Icon name="plus" />
        </Button>
      </span>
    </li>
  );
}
