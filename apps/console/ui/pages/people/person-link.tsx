export interface Named {
  readonly id: number;
  readonly name: string;
}

/** A person of the account. The page of one who was deleted still has its trail. */
export function PersonLink({ id, name }: Named) {
  return (
    <a href={`/people/${id}`}>
      <bdi>{name}</bdi>
    </a>
  );
}
