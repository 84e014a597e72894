import { useEffect, useRef } from 'preact/hooks';
import { moneyText } from '../client/money-text.ts';
import { words } from '../shared/words.ts';
import type { DailySales } from './figures.ts';

/** Sales by day. The library is loaded after the page; the same numbers are in a table for screen readers. */
export function Chart({ currency, days }: DailySales) {
  const isEmpty = days.every(({ amount }) => amount === 0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isEmpty || !place.current) return;
    const target = place.current;
    let remove = () => {};
    let over = false;
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (!over) remove = drawChart(target, { currency, days });
    });
    return () => {
      over = true;
      remove();
    };
  }, [currency, JSON.stringify(days)]);
  return (
    <>
      <div class="chart" ref={place} aria-hidden="true">
        {isEmpty && days.length > 0 && <p class="soft chart-empty">{words.home.noSales}</p>}
      </div>
      <table class="unseen">
        <caption>{words.home.chart}</caption>
        <tbody>
          {days.map(({ from, amount }) => (
            <tr key={from}>
              <th scope="row">{from}</th>
              <td>{moneyText(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
