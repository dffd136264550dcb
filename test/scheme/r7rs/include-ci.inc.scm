(DEFINE CI-Value 'MixedCase)
