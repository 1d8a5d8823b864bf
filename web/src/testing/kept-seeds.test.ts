import { expect, test } from 'vitest';
import { playKept } from './kept-seeds.ts';

test('the seed of a history that throws is told and kept, and is played first the next time', async () => {
  const played: number[] = [];
  let seeds: readonly number[] = [];
  const write = (all: readonly number[]): void => {
    seeds = all;
  };
  const play = async (seed: number): Promise<void> => {
    played.push(seed);
    if (seed === 7) throw new TypeError('rows of undefined');
  };
  await expect(playKept({ seeds, write }, [6, 7, 8], play)).rejects.toThrow('seed 7');
  expect(seeds).toEqual([7]);
  await expect(playKept({ seeds, write }, [1], play)).rejects.toThrow('seed 7');
  expect(played).toEqual([6, 7, 7]);
  expect(seeds).toEqual([7]);
});
