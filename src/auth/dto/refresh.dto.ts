import { IsOptional, IsString, Length } from 'class-validator';

/** The refresh token, unless it comes in its cookie. */
export class RefreshDto {
  /** As the last answer of register, login or refresh gave it; good for one use.
   * @example q3Zr0nH0m2m3m8m0T7c2YV0d4x1c9JtqBf5sKqk5w2E */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  refresh_token?: string;
}
