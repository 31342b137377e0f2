import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';

it.each(['<0>Ada</0>', '<b>Ada</b> & <br/>', String.raw`\u0041da \x41`, '{name}', "it's '{'"])(
  'a message shows the value %s as it is',
  (name) => {
    expect(t`By ${name} alone`).toBe(`By ${name} alone`);
    const { container } = render(
      <Trans>
        By <i>{name}</i> alone, {name}
      </Trans>,
    );
    expect(container.textContent).toBe(`By ${name} alone, ${name}`);
    expect(container.querySelectorAll('*')).toHaveLength(1);
  },
);
