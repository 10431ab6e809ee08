import { describe, expect, it } from '@jest/globals';
import { linearScale, logScale, type Scale, stepScale } from './scale.js';

const texts = ({ ticks }: Scale) => ticks.map(({ text }) => text);

describe('scales', () => {
  it('rise evenly from 0 to a round number', () => {
    const scale = linearScale([206, 2_744]);
    expect(texts(scale)).toEqual(['0', '500', '1,000', '1,500', '2,000', '2,500', '3,000']);
    expect([0, 1_500, 3_000].map(scale.place)).toEqual([0, 0.5, 1]);
    expect(texts(linearScale([0.3]))).toEqual(['0', '0.05', '0.1', '0.15', '0.2', '0.25', '0.3']);
    expect(texts(linearScale([0]))).toEqual(['0', '0.2', '0.4', '0.6', '0.8', '1']);
    expect(texts(linearScale([500, 1_000]))).toEqual(['0', '200', '400', '600', '800', '1,000']);
  });

  it('rise by factors between round numbers', () => {
    const scale = logScale([0.7, 160]);
    expect(texts(scale)).toEqual(['0.5', '1', '2', '5', '10', '20', '50', '100', '200']);
    expect(scale.place(0.5)).toBe(0);
    expect(scale.place(10)).toBeCloseTo(0.5);
    expect(scale.place(200)).toBe(1);
    expect(texts(logScale([0.2, 90_000]))).toEqual(['1', '10', '100', '1,000', '10,000', '100,000']);
    expect(texts(logScale([5]))).toEqual(['5', '10']);
    expect(() => logScale([0, 5])).toThrow('figures above 0');
  });

  it('spread steps evenly, each once', () => {
    const scale = stepScale([1_000, 0, 10, 0]);
    expect(texts(scale)).toEqual(['0', '10', '1,000']);
    expect([0, 10, 1_000].map(scale.place)).toEqual([1 / 6, 0.5, 5 / 6]);
  });
});
