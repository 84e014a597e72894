/** A number with its noun: `counted(1, 'transaction waits', 'transactions wait')`. */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;
