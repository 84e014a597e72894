/** Line icons on a grid of 20. */
const PATHS = {
  home: 'M3.5 9 10 3.5 16.5 9v7.5h-4.5v-4.5h-4v4.5H3.5z',
  receipt: 'M5 2.8v14.4l1.7-1.2 1.6 1.2 1.7-1.2 1.7 1.2 1.6-1.2 1.7 1.2V2.8zM7.8 7h4.4M7.8 10.2h4.4',
  question:
    'M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4zM7.9 8a2.1 2.1 0 1 1 3 1.9c-.7.4-.9.7-.9 1.4M10 13.6h.01',
  pulse: 'M2.5 10.5h3l2-5.5 4 10.5 2.2-5h3.8',
  back: 'M8 5 3.5 9.5 8 14M3.5 9.5h8.2a4.3 4.3 0 0 1 4.3 4.3v1.2',
  left: 'M12 4.5 6.5 10l5.5 5.5',
  right: 'M8 4.5 13.5 10 8 15.5',
  more: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  cross: 'm5 5 10 10M15 5 5 15',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4',
  wallet:
    'M3 6.2v8.3a2 2 0 0 0 2 2h10a1.5 1.5 0 0 0 1.5-1.5V8.2A1.5 1.5 0 0 0 15 6.7H4.7a1.6 1.6 0 0 1 0-3.2H15v3.2M13 11.6h.01',
  webhook:
    'M10 9.2 7.6 13.4M10 9.2a2.9 2.9 0 1 1 2.6-1.6M10 9.2l.1-1.9M7.6 13.4a2.9 2.9 0 1 1-2.5-4.2M7.6 13.4H14M12.6 7.6l2.3 3.9M14 13.4a2.9 2.9 0 1 0 .9-1.9',
  people:
    'M7.5 9.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM2.5 16.2a5 5 0 0 1 10 0M13 4.2a2.7 2.7 0 0 1 0 5M14.5 11.6a4.8 4.8 0 0 1 3 4.6',
  log: 'M4 4h12v12.5H4zM7 7.5h6M7 10.3h6M7 13h3.5',
  key: 'M7 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10.5 10h7v2.5M15 10v2',
  copy: 'M7.5 7.5h8v9h-8zM12.5 7.5v-4h-8v9h3',
  check: 'm4 10.5 4 4 8-9',
  out: 'M8.5 4.5H5a1.5 1.5 0 0 0-1.5 1.5v9A1.5 1.5 0 0 0 5 16.5h9a1.5 1.5 0 0 0 1.5-1.5v-3.5M11.5 3.5h5v5M16.5 3.5 9 11',
  print: 'M6 7V3h8v4M6 13.5H3.5V7h13v6.5H14M6 11.5h8V17H6z',
  send: 'M17 3 9 11M17 3l-5 14-3-6-6-3z',
  download: 'M10 3v9M6.5 8.8 10 12.3l3.5-3.5M3.5 16.5h13',
  filter: 'M3 5h14M6 10h8M8.5 15h3',
  box: 'M3.5 6.5 10 3l6.5 3.5v7L10 17l-6.5-3.5zM3.5 6.5 10 10l6.5-3.5M10 10v7',
  erase: 'M7 5h9.5v10H7L3 10zM9.5 8l4 4M13.5 8l-4 4',
  minus: 'M4 10h12',
  plus: 'M10 4v12M4 10h12',
  repeat: 'M4 9.5A6 6 0 0 1 14.5 6L16.5 8M16.5 4v4h-4M16 10.5A6 6 0 0 1 5.5 14l-2-2M3.5 16v-4h4',
  server: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6.3 6.5h.01M6.3 13.5h.01',
  shop: 'M3.5 8.5 4.8 3.5h10.4l1.3 5M3.5 8.5c0 1.3 1 2.3 2.2 2.3S8 9.8 8 8.5c0 1.3.9 2.3 2 2.3s2-1 2-2.3c0 1.3 1.1 2.3 2.3 2.3s2.2-1 2.2-2.3M4.8 10.7v5.8h10.4v-5.8',
  till: 'M5 3h10v14H5zM7.5 5.5h5v2.5h-5zM7.8 11h.01M10 11h.01M12.2 11h.01M7.8 14h.01M10 14h.01M12.2 14h.01',
  sound: 'M4 8v4h2.5L10 15V5L6.5 8zM12.5 7.5a3.5 3.5 0 0 1 0 5M14.5 5.5a6.3 6.3 0 0 1 0 9',
  mute: 'M4 8v4h2.5L10 15V5L6.5 8zM13 8l4 4M17 8l-4 4',
} as const;

export type IconName = keyof typeof PATHS;

/** A small line icon in the text colour, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
