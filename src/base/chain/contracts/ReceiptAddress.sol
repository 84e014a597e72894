// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The code behind every receipt's address: it sends what the address holds to the split that is appended to the
/// address's own code, and nothing else. No key can move the money, and any account may have it moved.
contract ReceiptForwarder {
    /// Base units that the address has sent to its split. The zero address is the coin.
    event Swept(address indexed token, uint256 amount);

    /// The place of the split in the code of an address: after the proxy.
    uint256 private constant SPLIT_AT = 0x33;

    address private immutable _self = address(this);

    error NotAnAddress();
    error NotMoved();

    /// Sends the whole balance of a token to the split. Nothing to move is a success. Reverts if the balance cannot be
    /// read or moved, also for too little gas: an estimate of gas finds what moves the money. A split without code gets
    /// nothing: it could not log the coins, and may never be deployed on this chain.
    function sweep(address token) external {
        if (address(this) == _self) revert NotAnAddress();
        address split;
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, SPLIT_AT, 0x14)
            split := shr(96, mload(0x00))
        }
        if (split.code.length == 0) revert NotMoved();
        uint256 amount = token == address(0) ? address(this).balance : _balance(token);
        if (amount == 0) return;
        if (!(token == address(0) ? _sendCoin(split, amount) : _sendToken(token, split, amount))) revert NotMoved();
        emit Swept(token, amount);
    }

    function _balance(address token) private view returns (uint256 amount) {
        bytes memory data = abi.encodeWithSignature("balanceOf(address)", address(this));
        bool isAnswered;
        assembly ("memory-safe") {
            let ok := staticcall(gas(), token, add(data, 0x20), mload(data), 0x00, 0x20)
            isAnswered := and(ok, gt(returndatasize(), 0x1f))
            amount := mload(0x00)
        }
        if (!isAnswered) revert NotMoved();
    }

    function _sendCoin(address split, uint256 amount) private returns (bool ok) {
        assembly ("memory-safe") {
            ok := call(gas(), split, amount, 0, 0, 0, 0)
        }
    }

    /// Some tokens return nothing. At most one word of what they return is copied.
    function _sendToken(address token, address split, uint256 amount) private returns (bool ok) {
        bytes memory data = abi.encodeWithSignature("transfer(address,uint256)", split, amount);
        assembly ("memory-safe") {
            mstore(0x00, 0)
            ok := call(gas(), token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            if ok {
                switch returndatasize()
                case 0 { ok := gt(extcodesize(token), 0) }
                default { ok := and(gt(returndatasize(), 0x1f), eq(mload(0x00), 1)) }
            }
        }
    }
}

/// Makes the addresses of receipts, and collects from them. An address is known before there is code: it follows from
/// this factory, the split and a salt. Every call of another contract has its own gas and copies one word at most, so
/// that none can hold up the others.
contract ReceiptAddressFactory {
    address public immutable forwarder;

    /// The gas of one look at a balance, of one sweep, and of one release with its payee's code. With the code of an
    /// address, an item that fails takes less than 300,000.
    uint256 private constant BALANCE_GAS = 40_000;
    uint256 private constant SWEEP_GAS = 200_000;
    uint256 private constant RELEASE_GAS = 290_000;
    /// What a call costs its caller, with much to spare.
    uint256 private constant CALL_GAS = 10_000;

    error NotEnoughGas();

    constructor() {
        forwarder = address(new ReceiptForwarder());
    }

    /// The address of the receipt with this salt, whose money is for the split.
    function addressOf(address split, bytes32 salt) external view returns (address) {
        return _addressOf(salt, keccak256(_creationCode(split)));
    }

    /// Sweeps the addresses with these salts in one token (zero: the coin) to the split, and then releases that token to
    /// the payees. What is empty is skipped, and nothing is deployed for it. What fails is left as it is and stops
    /// nothing else: the balances show what was done. Too little gas for all of it reverts: a call that skipped the rest
    /// would be what an estimate of gas finds.
    function collect(address split, address token, bytes32[] calldata salts, address[] calldata payees) external {
        if (split.code.length == 0) return;
        bytes memory code = _creationCode(split);
        bytes32 codeHash = keccak256(code);
        bytes memory sweep = abi.encodeCall(ReceiptForwarder.sweep, (token));
        for (uint256 i = 0; i < salts.length; i++) {
            bytes32 salt = salts[i];
            address receipt = _addressOf(salt, codeHash);
            if (receipt.code.length == 0) {
                if (!_holds(receipt, token)) continue;
                assembly ("memory-safe") {
                    pop(create2(0, add(code, 0x20), mload(code), salt))
                }
            }
            _call(SWEEP_GAS, receipt, sweep);
        }
        for (uint256 i = 0; i < payees.length; i++) {
            bytes memory release = token == address(0)
                ? abi.encodeWithSignature("release(address)", payees[i])
                : abi.encodeWithSignature("release(address,address)", token, payees[i]);
            _call(RELEASE_GAS, split, release);
        }
    }

    /// A minimal proxy (EIP-1167) of the forwarder with the split behind it. Before it stands a stop for calls without
    /// data: coins arrive without running other code, with the 2,300 gas that `transfer` of a contract gives.
    function _creationCode(address split) private view returns (bytes memory) {
        return
            abi.encodePacked(
                hex"3d604780600a3d3981f3",
                hex"36600557005b",
                hex"363d3d373d3d3d363d73",
                forwarder,
                hex"5af43d82803e903d91603157fd5bf3",
                split
            );
    }

    function _addressOf(bytes32 salt, bytes32 codeHash) private view returns (address) {
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, codeHash)))));
    }

    function _holds(address receipt, address token) private view returns (bool holds) {
        if (token == address(0)) return receipt.balance > 0;
        _requireGas(BALANCE_GAS);
        bytes memory data = abi.encodeWithSignature("balanceOf(address)", receipt);
        assembly ("memory-safe") {
            mstore(0x00, 0)
            let ok := staticcall(BALANCE_GAS, token, add(data, 0x20), mload(data), 0x00, 0x20)
            holds := and(and(ok, gt(returndatasize(), 0x1f)), gt(mload(0x00), 0))
        }
    }

    function _call(uint256 gasMax, address target, bytes memory data) private {
        _requireGas(gasMax);
        assembly ("memory-safe") {
            pop(call(gasMax, target, 0, add(data, 0x20), mload(data), 0, 0))
        }
    }

    /// Reverts if a call cannot have this gas: its caller keeps 1/64 (EIP-150) and pays for the call itself. It is asked
    /// before each call, so that it holds whatever the creation of an address costs on a chain.
    function _requireGas(uint256 gasMax) private view {
        if (gasleft() < gasMax + gasMax / 32 + CALL_GAS) revert NotEnoughGas();
    }
}
