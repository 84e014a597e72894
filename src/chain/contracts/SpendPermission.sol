// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// What an account signs: the spender may take up to `allowance` of the token in each period. As Coinbase's SpendPermissionManager has it.
struct SpendPermission {
    address account;
    address spender;
    address token;
    /// Base units of the token; what is not spent in a period does not carry over.
    uint160 allowance;
    /// Seconds.
    uint48 period;
    /// Unix seconds, inclusive.
    uint48 start;
    /// Unix seconds, exclusive.
    uint48 end;
    uint256 salt;
    bytes extraData;
}

struct PeriodSpend {
    /// Unix seconds, inclusive.
    uint48 start;
    /// Unix seconds, exclusive.
    uint48 end;
    uint160 spend;
}

/// What we call on the manager.
interface ISpendPermissionManager {
    /// What it answers is left alone: a permission that was revoked cannot be spent, whatever is answered here.
    function approveWithSignature(SpendPermission calldata permission, bytes calldata signature) external;

    function spend(SpendPermission calldata permission, uint160 value) external;

    function revokeAsSpender(SpendPermission calldata permission) external;

    function isApproved(SpendPermission calldata permission) external view returns (bool);

    function isRevoked(SpendPermission calldata permission) external view returns (bool);

    function getCurrentPeriod(SpendPermission calldata permission) external view returns (PeriodSpend memory);

    function getHash(SpendPermission calldata permission) external view returns (bytes32);
}
