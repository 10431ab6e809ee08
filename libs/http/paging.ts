interface PageFacts {
  readonly page: number;
  readonly perPage: number;
}

/** The frame of most lists: `from` and `to` count from 1 and are null on an empty page. */
export interface PageFrame {
  readonly per_page: number;
  readonly page: number;
  readonly total: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly last_page: number;
}

export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

export function frameOf({ page, perPage }: PageFacts, total: number, shown: number): PageFrame {
  const first = (page - 1) * perPage + 1;
  return {
    per_page: perPage,
    page,
    total,
    from: shown === 0 ? null : first,
    to: shown === 0 ? null : first + shown - 1,
    last_page: lastPage(total, perPage),
  };
}
