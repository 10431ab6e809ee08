import type { Signal } from '@preact/signals';
import { Field } from '../forms/fields.js';
import type { Choices } from '../forms/use-form.js';
import { DENSITIES, density, ZONES, zone } from '../parts/display.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: Choices;
  readonly of: Signal<string>;
}

const Choice = ({ name, label, choices, of }: ChoiceProps) => (
  <Field
    name={name}
    label={label}
    choices={choices}
    value={of.value}
    onChange={(value) => {
      of.value = value;
    }}
  />
);

export function DisplayPage() {
  return (
    <>
      <Heading text="Display" />
      <p>This browser remembers it.</p>
      <Choice name="zone" label="Time zone" choices={ZONES} of={zone as Signal<string>} />
      <Choice name="density" label="Lines" choices={DENSITIES} of={density as Signal<string>} />
      <p class="aside">
        It is now <Time at={new Date()} />.
      </p>
    </>
  );
}
