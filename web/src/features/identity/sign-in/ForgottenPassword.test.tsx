import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../../../../test/render';
import { ForgottenPassword } from './ForgottenPassword';

describe('ForgottenPassword', () => {
  it('should explain what an administrator and what the operator can do', () => {
    renderPart(<ForgottenPassword />);
    expect(screen.getByText('Forgotten your password?')).toBeVisible();
    expect(screen.getByText(/An administrator can make you a link/)).toBeInTheDocument();
    expect(screen.getByText(/user:reset-password/)).toBeInTheDocument();
  });
});
