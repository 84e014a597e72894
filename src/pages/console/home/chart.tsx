import { useEffect, useRef } from 'preact/hooks';
import { moneyText } from '../components/money.tsx';
import { words } from '../words.ts';

interface ChartProps {
  readonly days: readonly { readonly from: string; readonly usd: number }[];
}

/** Sales by day. The library is loaded after the page; the same numbers are in a table for screen readers. */
export function Chart({ days }: ChartProps) {
  const isEmpty = days.every(({ usd }) => usd === 0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isEmpty || !place.current) return;
    const target = place.current;
    let remove = () => {};
    let over = false;
    void import('./draw-chart.ts').then(({ drawChart }) => {
      if (!over) remove = drawChart(target, days);
    });
    return () => {
      over = true;
      remove();
    };
  }, [JSON.stringify(days)]);
  return (
    <>
      <div class="chart" ref={place} aria-hidden="true">
        {isEmpty && days.length > 0 && <p class="soft chart-empty">{words.home.noSales}</p>}
      </div>
      <table class="unseen">
        <caption>{words.home.chart}</caption>
        <tbody>
          {days.map(({ from, usd }) => (
            <tr key={from}>
              <th scope="row">{from}</th>
              <td>{moneyText(usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
