/** One series of a scrape. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The series of Prometheus's text format. */
export const readSeries = (text: string): Series[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:\\.|[^"\\])*)"/g)];
    return [
      {
        name,
        labels: Object.fromEntries(pairs.map(([, label, quoted]) => [label, JSON.parse(`"${quoted}"`)])),
        value: value.endsWith('Inf') ? Number(value.replace('Inf', 'Infinity')) : Number(value),
      },
    ];
  });

/** Everything that a server shows at its metrics' address. */
export const scrape = async (url: string): Promise<Series[]> => readSeries(await (await fetch(url)).text());

/** The value of the first series of a name that has these labels; undefined if there is none. */
export const figureOf = (
  series: readonly Series[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined =>
  series.find(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )?.value;
